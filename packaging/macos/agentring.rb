# Template of the Homebrew cask; `version` and `sha256` are filled in by a release, ADDRESS is where releases lie.
# Until there is a Developer ID this belongs into a tap of our own: unsigned casks are turned away.
cask "agentring" do
  version "VERSION"
  sha256 "SHA256"

  url "ADDRESS/v#{version}/agentring-#{version}-macos.zip"
  name "Agent Ring"
  desc "Shows what AI-agent sessions hold in memory and gives it back"
  homepage "ADDRESS"

  livecheck do
    url :url
    strategy :github_latest
  end

  depends_on macos: :ventura

  app "Agent Ring.app"
  binary "#{appdir}/Agent Ring.app/Contents/MacOS/agentring"

  uninstall quit:      "dev.agentring.AgentRing",
            launchctl: "dev.agentring.AgentRing"

  zap trash: [
    "~/Library/Application Support/agentring",
    "~/Library/Caches/agentring",
    "~/Library/LaunchAgents/dev.agentring.AgentRing.plist",
    "~/Library/Logs/agentring",
    "~/Library/Preferences/dev.agentring.AgentRing.plist",
  ]
end
