<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>agentring</name>
    <message>
        <source>{kind} in {file}, line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading it takes longer than one look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the disk or network folder it lies on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codex offers no “{name}” for this session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codex daemon {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no socket at {path}, so its threads are told by their logs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>version {version} answers: {threads} threads, {servers} connections to MCP servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the log cannot be read ({error})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>damaged lines are left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The rest is used; nothing needs to be done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the index cannot be read ({error})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check its permissions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be looked at ({error})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder cannot be read ({error})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its daemon is asked to unload it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no socket at {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its daemon cannot be asked to release it: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with CODEX_HOME={home}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its daemon says that it has failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It waits for you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A turn is open: its daemon says that it runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A command runs in the background: {command}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A subagent is at work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its daemon says that it is idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A terminal shows it, which would load it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A terminal is open in its folder; if it shows it, it would load it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}, which started it, is attached to it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its log cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A turn is open in another thread of the same run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds {count} loaded threads, of which {shown} are shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release some of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The turn ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last turn was cut off before this process began</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It asks you a question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A subagent has not answered yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tool call has no result yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A turn is open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It asks for your permission</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If this stays, `codex app-server daemon restart` when nothing runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update Agent Ring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>already released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its daemon does not archive it: {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unloaded and kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a turn is running in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a subagent of it is at work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it waits for you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look again when it is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its daemon does not say that it is idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a command of it runs in the background: {command}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop it in Codex first: /stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its daemon does not bring it back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}, and it may be archived now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>`codex unarchive {id}` brings it back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a terminal that shows it has loaded it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close it there first, then release it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its socket cannot be reached ({kind})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it closed the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its socket cannot be used on this system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its socket is not there ({error})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what should be its socket is none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its socket is another user's</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is asked there; look who put it there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another process than this daemon listens on its socket</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not answer within {seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not speak as is known: “{field}” in {where}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what you keep could not be written ({why})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make room, or let this user write there, and try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be read ({why})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow this user to read it. What was known before still holds, and no policy acts till then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was damaged; it was set aside as {file}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was written by a newer version (schema {schema})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is left as it is: use that version, or delete it to keep anew. No policy acts till then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is damaged ({damage}) and cannot be set aside ({why})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete it and keep again what you want to keep. No policy acts till then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is damaged ({damage}); it was set aside as {file}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep again what you want to keep (`agentring keep`). No policy acts till then, or till a restart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle, confirmed twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A surplus backend; the session keeps its newest one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its session is gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A job its session left running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left over from an earlier run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A turn is running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A background task is running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A subagent is working</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It waits for your answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It will wake up by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is open in a terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot tell if it is idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too young to be judged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its session still runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other sessions use it too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its backend serves other sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It belongs to another session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checked again just before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another process has this number now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot be sure it is the same process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Already gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This app is never ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A service that runs on purpose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept ready by its host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not an agent's process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs in a container</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent Ring runs inside it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Already ended, its parent has not noticed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You want to keep it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trigger “{trigger}” needs {figure}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trigger “{trigger}” has no use for {figure}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trigger “heap” needs over as a share, such as “80%”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trigger “heap” has no use for a size in over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has no name that can be shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after has to be longer than nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at_most cannot be less than 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>over has to be more than nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>over has to be a share from 0 to 100 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>most_an_hour has to be 1 or more; switch the policy off where nothing may be done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>grace has to be {least} or longer, so that somebody can keep the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>typed cannot be less than 0s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>quiet has to go from one time of day to another; the whole day is 00:00-24:00</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An exception names exactly one of session, folder, host, program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An exception is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}, only while memory is short</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releases sessions that are idle for longer than {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps at most {number} idle sessions of each host, the most recently used ones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releases what goes first while agents together hold more than {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releases what goes first, one by one, while the computer is short of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releases idle sessions in a host's heap that is fuller than {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends helpers whose session is gone for longer than {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends surplus backends of idle sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{share} of its cap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{share} of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} or {share}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the session {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the host {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the program {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the exception {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} is no length of time. Write it as 90s, 30m, 4h or 1d</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} is no size. Write it as 8 GB or 512 MB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} is no share. Write it as 40%</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} is no part of a day. Write it as 22:00-07:00</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it as [[policies]] with name and trigger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct or remove it; until then the policy does nothing. The keys are {keys}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a key that is not known: {key}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{key} cannot be used: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct that line; until then it does nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no {key}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add it; until then it does nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct it; until then the policy does nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has to be a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has to be true or false</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has to be a whole number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is {choices}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it can name one size and one share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each names exactly one of session, folder, host, program, such as {folder = “~/work”}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has to be a list, in [ ]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End it…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The running turn is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What runs in the background is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subagent's work is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its question stays unanswered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It will not wake up by itself any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its view closes, and what is typed there is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If a turn is running, it is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other sessions of its backend end as well.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sessions that use it lose it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it has not finished is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It can be resumed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Otherwise it comes back at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its entry goes; the conversation stays and can be resumed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear {name}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release {name}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the surplus of {name}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End {name}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{sentence}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{sentence} {loss}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It did not end when asked. It is ended at once; what it is doing is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End {name} now?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End it now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Journal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who started whom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Incidents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For a report, without titles and names of yours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Versions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory is measured as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What Agent Ring itself costs now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Told apart, and not in the ring's total</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>100 % is one core</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU time to measure and judge everything once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent Ring is under the MIT licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is built with Python (PSF), Qt and PySide6 (LGPL 3), SQLite (public domain), and others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reveal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reveal {name} in its folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}, {waited} of {wait}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop after this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open journal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releasing {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releasing {number} of {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each process is checked again just before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released, the heap follows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releasing {number} of {n}: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not released: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That did not work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mute for {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mute today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put away: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tell me again</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>And {n} more</source>
        <extracomment>And {n} more</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Messages are muted until {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>midnight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agents hold {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More than the {limit} that you set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory runs short</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory is nearly full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The heap of {host} fills up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} of {limit}. Its host ends when it is full.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} orphans appeared, {size}</source>
        <extracomment>{n} orphan appeared, {size}</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} and others: {size} came back</source>
        <extracomment>{name}: {size} came back</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>By the policy “{policy}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} did not stay released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agents hold nothing that could be released now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} of agents can be released now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{title}, and {n} more</source>
        <extracomment>{title}, and {n} more</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{why} Click to keep it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This desktop shows no tray, so Agent Ring lives in this window; closing it quits. On GNOME the AppIndicator extension brings the tray back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shared helpers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Orphans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory and CPU over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was held or measured in this time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heap and resident memory over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stack by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show as chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show as table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{metric}, only {host}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>15 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>6 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>24 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>7 d</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>30 d</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{day} Jan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{day} Feb</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{day} Mar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{day} Apr</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{day} May</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{day} Jun</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{day} Jul</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{day} Aug</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{day} Sep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{day} Oct</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{day} Nov</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{day} Dec</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smaller sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asleep {length}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused {length}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not running {length}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asleep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory ran short</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory was nearly full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{time}: {memory} in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>limit {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended, {size} came back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released, {size} came back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>100 % is one core</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resident memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>follows the heap late, and is never added to it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{since} to {until}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory and CPU over time, as a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} needs you to allow that. What it means is shown first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>There are {n} more offers.</source>
        <extracomment>There is {n} more offer.</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Allow with {host}: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU and file dates are not used as proof.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU of {cpu} and file dates are not used as proof.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From, to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One row for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All, with totals</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only these</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export measurements as CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One row per session and time, as every spreadsheet reads it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No session was measured in this range.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The range ends before it begins.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose at least one session.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{done} of {all} rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count} rows written, {size}</source>
        <extracomment>{count} row written, {size}</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped. No file was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: {fault}. No file was written; choose another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A time is written as 2026-11-30 14:05.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was measured in this range.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One row for {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{step}: about {rows} rows, {size}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{step}: about {rows} rows, {size}. That fine it is kept for {kept}; Auto has all of the range.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trouble</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is looked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows more once you allow it, see Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} sessions</source>
        <extracomment>{n} session</extracomment>
        <translation>
            <numerusform>{n} 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>No session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releases idle sessions itself when asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle sessions are released by signal, and resumed there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it holds is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tell me when a session waits for me</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off until you choose a policy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in use, or kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outlined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>can be released now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thin line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rest of this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent Ring is running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The ring in your menu bar shows what AI agents hold of this computer's memory. Click it to see them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The ring in your tray shows what AI agents hold of this computer's memory. Click it to see them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads process tables and session files, never what you wrote.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sends nothing, and needs no account.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at what runs. That takes a second or two.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>And {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start at login: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No agent runs now. Start one: it appears here and in the ring within seconds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{nothing} Looked for are {names} and {n} more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{nothing} Looked for are {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent Ring, nothing measured yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent Ring, paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} held by agents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} can be released</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} sessions wait for you</source>
        <extracomment>{n} session waits for you</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Heap of {host}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The heap of {host} is nearly full</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Release {n} sessions, {size} heap…</source>
        <extracomment>Release {n} session, {size} heap…</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Release {n} sessions of {host}, about {size}</source>
        <extracomment>Release {n} session of {host}, about {size}</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Install…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} sessions in the heap of {host}</source>
        <extracomment>{n} session in the heap of {host}</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>How full it is and what each holds tells only a plugin in it. Releasing one needs it too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install the plugin for {host}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} more heaps, in the window</source>
        <extracomment>{n} more heap, in the window</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{host}: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} was expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>collected after {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its resident memory follows late, when the engine hands pages back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{memory} + {heap} heap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{heap} heap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} of RSS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most {size} of heap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heap of {host} {use}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>full in {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} of heap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{memory} and {heap} of heap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{memory} and {heap} of heap came back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} of heap came back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} came back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing came back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} sessions live</source>
        <extracomment>{n} session live</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} turns lost</source>
        <extracomment>{n} turn lost</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>noticed within {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heap {before} → {after}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>resident memory {before} → {after}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free on this computer {before} → {after}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{courses} in the last {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One file to hand on, without titles, folders and names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A turn was open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its turn was lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} heap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Ended {n} orphans</source>
        <extracomment>Ended {n} orphan</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Released {n} sessions</source>
        <extracomment>Released {n} session</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ended {n} orphans</source>
        <extracomment>ended {n} orphan</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{first}, {then}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} processes survived</source>
        <extracomment>{n} process survived</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} run again</source>
        <extracomment>{n} runs again</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} are refused</source>
        <extracomment>{n} refused</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{words}. {notes}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} and {n} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not as it should be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of {size} expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy {command}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured as {metric}, by resident memory (RSS) {rss}. Free on this computer: {free}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured as {metric}. Free on this computer: {free}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Still there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the journal as it is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The incident could not be exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The journal could not be exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every action is written here with what it gave back and how to resume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was released or ended yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was released yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was ended yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is found busy, changed or waiting just before it goes is left alone, and written here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No incident is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When a host ends unasked, fills its heap or loses a turn while Agent Ring runs, it is written here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} and {heap} of heap</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} actions, {size} came back</source>
        <extracomment>{n} action, {size} came back</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>no action</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} incidents</source>
        <extracomment>{n} incident</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{incidents}, {actions}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not now, for today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept for today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept until {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not now, for {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resumed, runs for {length}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs for {length}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resumed, ran for {length}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ran for {length}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Process {pid} and {n} more</source>
        <extracomment>Process {pid} and {n} more</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Process {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Was gone already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something of it stayed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not released</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} runs</source>
        <extracomment>{n} run</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Line of time: {runs} since {since}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happened to it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most {size} at a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} earlier events</source>
        <extracomment>{n} earlier event</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{verb}: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next to go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not offered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End next…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{verb}: {name}, {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Policies…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic release is off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is the order it would follow. Nothing goes until you say so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} policies on: {names}</source>
        <extracomment>{n} policy on: {names}</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>This is the order that is followed. You are told {time} before, and can keep it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing can be released now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What works, waits for you or cannot be told stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No agent session is running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As soon as one rests for a while, it stands here with what it would give back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}, {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In {time}: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{why}. By the policy “{policy}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>And {n} more, each is announced in its turn</source>
        <extracomment>And {n} more, announced in its turn</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>physical footprint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PSS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>private working set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RSS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{held} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} processes</source>
        <extracomment>{n} process</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} orphans</source>
        <extracomment>{n} orphan</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Above is what they held in the last 24 h.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Above is what they held in the last 7 d.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter by title, host, folder or pid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter sessions by title, host, folder or pid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first figures are here in about {every}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{mend} And {n} more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start one in {hosts} or another host. It shows up here within {every}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start one in an agent host. It shows up here within {every}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release {size}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command: {command}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Policies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New policy…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggested</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is released by itself unless you switch it on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A policy takes only what could be released without a question, tells you before, and writes a receipt. What is busy, waits for you, is kept or cannot be told stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The policies could not be kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its figures and exceptions are forgotten. What it has released can still be resumed from the journal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the policy “{name}”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most {n} an hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{time} notice before each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not {hours}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ends by SIGKILL what does not end when asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It switched itself off: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} would go now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide details of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show details of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it would do now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Is looked at.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions that are idle for long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too many idle sessions of a host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agents together hold too much</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The computer is short of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A host's heap fills up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Helpers whose session is gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Surplus backends of idle sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of exception</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exception</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An exception is empty. Name what it holds for, or remove it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>~/work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a program's name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add to: {list}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only while memory is short</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most in an hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notice before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not where somebody typed within</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quiet hours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End what does not end when asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never these</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whatever else holds, these stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where any are named, nothing else goes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Actions of this policy in any 60 minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>So that you can keep it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the session's own terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is done then; several with commas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By SIGKILL, as the last step. What it is doing then is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New policy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Policy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{about}. It stays off until you switch it on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{about}. It is on: a change holds at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another policy is called “{name}”. Give this one a name of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle for longer than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Such as 30m, 4h or 1d</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gone for longer than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle sessions of each host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most so many stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Together more than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A size, a share, or both: 8 GB, 40%</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heap fuller than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A share of its cap, such as 80%</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It needs a size or a share. Write it as 8 GB or 40%</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>'{text}' is no whole number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field}: {fault}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle for {time}: nothing would have been released.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle for {time}: {freed} would have been free, of {sessions}; none of them worked again soon after.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle for {time}: {freed} would have been free, of {sessions}; {wrong} of them worked again soon after.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory freed by idle time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GB·h freed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On your own days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try it on the last 7 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What this policy would have freed, and how often it would have been wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking through the history</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking through the history, {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The history could not be looked through: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The history holds {time} so far: no session was idle for 5 min in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The history holds {time} so far. Let Agent Ring record for a day or more, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On your own days: the last {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The history holds {time} so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use {time} for {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as {time} ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{change} in {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last action broke off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent Ring itself: {size}, {share}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory is {metric}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{metric}, {change}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>And {n} more, in the window.</source>
        <extracomment>And {n} more, in the window.</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first figures are on their way.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No host of agents is known here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Start one in {hosts} or another host. It shows up here within {n} seconds.</source>
        <extracomment>Start one in {hosts} or another host. It shows up here within {n} second.</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Yesterday they held up to {size}, at {time}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Earlier today they held up to {size}, at {time}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} can be released now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} of heap can be released now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release, about {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring is paused since {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} idle sessions</source>
        <extracomment>{n} idle session</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{sessions} and {orphans}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Belongs here because</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its host keeps it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>closed by its host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrapper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Launcher</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Helper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Infra</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>App</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backend, surplus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backend, current</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processes of this session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You, from the menu bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You, from the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You, from the journal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You, from the command line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By the policy “{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You, from the {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{before} before, {after} after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy resume command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resuming</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resumed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It runs already. Nothing was started.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{why}. The command was copied instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume {title}, in a terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Survived</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host}, its session is gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{state}, no work running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release these {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release {n}, about {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End these {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End {n}, about {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear these {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List as of {time}. Each item is checked again just before it goes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released by their host, can be resumed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the heap of {host}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unloaded by it, no process ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>still listed by their host, which clears them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>their session is gone, ended by signal</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>End {n} orphans?</source>
        <extracomment>End {n} orphan?</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Release {size}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release about {size}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release nothing?</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Clear {n} ended sessions?</source>
        <extracomment>Clear {n} ended session?</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{n} of {all} selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releasing {n} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing came back so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is looked at once more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} came back so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A heap gives back what was released when its host next collects it as a whole.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}, {waited} of {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured as {metric} from {since} to {until}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{measured} Expected {size}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}, expected {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By resident memory (RSS)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} processes gone</source>
        <extracomment>{n} process gone</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Resume opens it in your terminal; the journal keeps the command.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume asks the host to bring it back; the journal offers it too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume asks the host to bring it back; the journal offers it too. Others open in your terminal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume at any time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End what is left of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The action broke off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shared</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} small ones</source>
        <extracomment>{n} small one</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>can be released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Orphans and leaked helpers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No program opens folders here. The folder is {folder}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show in window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reveal folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End it now…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{verb} {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{verb} {title}, about {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{share} CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>End {n} orphans…</source>
        <extracomment>End {n} orphan…</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Their sessions are gone</source>
        <extracomment>Its session is gone</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing can reach them any more</source>
        <extracomment>Nothing can reach it any more</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{gone} without a session, {leaked} that nothing can reach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releasing, waits for the one before it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heap is awaited, {waited} of {wait}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releasing, {waited} of {wait}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releasing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released, {size} of heap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended, {size} of heap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released by “{policy}”, {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended by “{policy}”, {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its host is asked to bring it back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to {page}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a release does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What ending it does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not offered now: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its host brings it back: “Resume” stands here and in the journal once it is released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The host does not tell how to resume it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{these}. Nothing else is touched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About {size} comes back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No process ends, and nothing else is touched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} of heap comes back with its next full collection; resident memory follows late.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{some} and {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{these} go</source>
        <extracomment>{these} goes</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} backends</source>
        <extracomment>{n} backend</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} helpers</source>
        <extracomment>{n} helper</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} work processes</source>
        <extracomment>{n} work process</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} wrappers</source>
        <extracomment>{n} wrapper</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} other processes</source>
        <extracomment>{n} other process</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>busy since {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting since {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>idle since {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ended since {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown since {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More actions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install plugin…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory, 6 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heap of {host}, 6 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the heap of process {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This session holds nothing any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its processes are gone. What is shown here is the last that was seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End with a signal…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More for {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fullest heap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What agents hold of this computer's memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much of this computer's memory is in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How full the fullest heap of a host is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What this system gets back when a process ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A process's own memory, and its part of what it shares</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a process has for itself alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A session waits for me</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Orphans appear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A policy acts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A release did not hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mute for 1 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unmute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>General</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes effect at the next start of Agent Ring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Motion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What moves after an action; nothing moves by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory figure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Icon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic follows the bar's colour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>While a view is open or an agent runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without activity for this long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Older measurements are removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete history</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings and the journal stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset all settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Policies, what you allow with hosts, the history and the journal stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When this computer runs out of free memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before it releases something, and when it has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When something starts again what you released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agents hold more than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Together, of this computer's memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A host's heap is fuller than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of its own limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table of your own processes, and what each host writes down about its sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message texts are read past, and the files of your projects are not opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures, titles, folders and ids. No prompts, no command lines, no keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing. There is no account, and no server of ours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A host's token or password is read only where you allow it, and kept in memory only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is never read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is kept on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Secrets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Named as soon as something is measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resident memory: shared pages count in each process, so sums are too high</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off. A policy never touches busy, waiting or unknown sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{n} policies are on. They take only what rests</source>
        <extracomment>{n} policy is on. It takes only what rests</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Muted until {time}. What is told stands in the popover all the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As notifications of the desktop, and in the popover</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused: the charts have a gap until you go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measurements stay on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} on disk, kept for {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allowed with hosts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The change could not be kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The charts begin anew, and what was measured cannot be brought back. Settings and the journal stay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete all measurements?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Intervals, notices, the ring and all else on this page are as they were at first. Policies, what you allow with hosts, the history and the journal stay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset all settings?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Installing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allowing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Working</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is there already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This will</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at {host}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What could be put into it or allowed with it stands here. Nothing is done by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow this with {host}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing of it is done until you agree. What you allow is kept in the settings of Agent Ring, and can be taken back there at any time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the plugin into {host}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It tells how full the heap of {host} is and what each session holds in it, and releases idle ones. It listens on this computer only. Nothing is written until you agree.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was found that could be put into it or allowed with it now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allowed. The settings take it back, and so does:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allowed. The settings take it back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done. To take it out again:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only this in chart and tree; again to show all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only this is shown; again to show all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Total</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0 of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Next to go, {n} can go</source>
        <extracomment>Next to go, {n} can go</extracomment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Agent Ring: {memory}, {cpu}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>under 1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring is paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recording, every {every}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not recording, every {every}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host}, {memory}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system hides the icon. Allow Agent Ring under System Settings, Menu Bar; starting it again opens this window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release idle…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End {title}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear {title}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why does {title} stay?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backend, pid {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>helper, pid {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>work, pid {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wrapper, pid {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>launcher, pid {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>infra, pid {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shell, pid {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>spare, pid {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>client, pid {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>app, pid {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown, pid {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>surplus backend, pid {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>current backend, pid {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Action</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release {title}, about {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns as usual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing matches the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} cannot be read: {fault}. The window starts as new, and the file is written anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} is from a newer Agent Ring. The window starts as new, and remembers nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} cannot be written: {fault}. The window forgets its columns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>speaks for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>told only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>speaks against it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why is this busy?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why does this wait for you?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why is this idle?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why has this ended?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why can its state not be told?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why is this an orphan?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why is this counted here?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{state}, confirmed twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{time} ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where it comes from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from the process table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Used by several sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its host's own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent Ring itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot tell, last seen busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot tell, last seen waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot tell, last seen idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot tell, last seen ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} d</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Busy, turn of {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for you, {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recognised, not understood</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recognised, not understood (version {version})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{used} of {limit} ({share})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} in sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} in sessions, {can_go} can be released now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>grows {size} an hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>grows {size} an hour, full in {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heap {before} → {after}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heap {before} → {after}; its next full collection has not come within {time}, more comes back then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{sentence}, can be judged in {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what is kept cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measuring is paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what an earlier run left open has not been looked at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End it there, or it comes back each time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See the session for what it does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seen below it earlier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read its token or password</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the helpers of released sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is kept in memory only: never written, logged, shown or exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>agentring hosts forbid {host} {permission}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hosts that are not known: {ascii}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They are kept and have no effect; the hosts are {known}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{version} on Python {value}, {platform}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} ms CPU for the last look, two looks took {took_s} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its host cannot be asked to bring it back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It runs already; nothing to bring back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its memory is counted, its states are not known; nothing of it is released.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not run now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this system tells resident sizes only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sums are upper bounds and are marked so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the {footprint_metric} of {unread} of {held} groups could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Their resident size is shown instead, as an upper bound.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured as {footprint_metric}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} does not exist yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent Ring ended in the middle of it; what it was to end may still run, see the sessions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} did not answer within {resume_s} s. Look there whether the session is back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its adapter failed: {fault}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no command to run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The terminal could not be started: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its folder is not there any more: {folder}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no screen to open a terminal on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No terminal was found. Set TERMINAL to the one that you use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The command holds a character that means something else to cmd</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another program holds it for longer than {wait_s} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run_id, measured_ms, gap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CASE absent WHEN 0 THEN ({value}) / t.samples ELSE ({value2}) / t.samples END</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CASE WHEN unknown = 0 AND absent = 0 THEN ({value}) / t.samples WHEN unknown * {unknown_share} &lt;= {own} THEN ({value2}) / t.samples END</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run_id, measured_ms, gap, samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run_id, bucket, 1, measured_ms, gap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured_ms, samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a pack of samples is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the clock was set back by more than a day</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another Agent Ring records into this history</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is lost, its measurements are shown here too; end one of the two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the history could not be continued ({why}) and was set aside as {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A new one was begun; delete the old file when you do not need it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measurements cannot be recorded ({error})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make room or allow writing there; recording goes on by itself, measuring never stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It asks for a permission</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its notice: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A turn is open: nothing came after the last message or tool result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The log does not tell whether the turn ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It will wake up by itself{due}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>[Request interrupted by user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without id {calls}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{who} is asked to end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{who} is ended at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Claude Code is asked to stop the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Claude Code offers no “{name}” for this session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its session record, read earlier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its session record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the session record cannot be read ({fault})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restart that session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the daemon's roster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>handed over by a background session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the one log begun since, in its folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its session record, and its newer log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its program; two newer logs could be its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>started by the session's process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>session record of process {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its session record cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Claude Code says it is idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Claude Code says a turn is running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Claude Code says it waits for you{waiting_for}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Claude Code says a background shell still runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Claude Code gives a status that is not known here: “{value}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>subagent log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the log cannot be read ({fault})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} lines are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{lines} cut or damaged and left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder cannot be read ({fault})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be looked at ({fault})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be read ({fault})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Background sessions may be shown incompletely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no complete JSON record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} could not be started: {fault}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} {value2} did not answer within {timeout_s} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept ready for the next background session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its program, run as part of the host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an MCP server for another program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a command of the host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its program with all tools off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its program, forked from another session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{flag} in its arguments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the session variable that it inherited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That is not offered any more. Look again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answers with {status} and something that is not known here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it answers with {status}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server asks for a password</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter it in the settings of Agent Ring, or allow Agent Ring to read it from the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server does not let this program in{said}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let 127.0.0.1 and localhost in, and sign in as a user who may see all sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server has locked this computer out after too many wrong passwords</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait 15 minutes, and check the password in the settings of Agent Ring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update Agent Ring, or restart Codeman</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answers as another program would</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not tell of the session ({what})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answers something that is not known here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>already gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it says that the session is closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not tell ({what})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asks for a password as another program would</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server has ended the sign-in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server does not take the password</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restart Agent Ring to sign in again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter the right one in the settings of Agent Ring; it is not tried again before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with a password, then by cookie</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sends more than can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server does not answer within {timeout_s} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If this stays, restart Codeman; its sessions live on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the certificate {certificate} cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server shows another certificate than {certificate}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server cannot be reached ({name})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start Codeman again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restart Codeman, so that it writes its certificate anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{strange} of its entries are not understood</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be read ({value})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no list of sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If this stays, restart Codeman, which writes it anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was written in its terminal since</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server saw no output since</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server saw no output since it came back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing came into its log since</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The agent's hook said that it is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman says idle, which alone proves nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman says {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman says busy, but for half an hour nothing was written: its status is stuck</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman says busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is a shell, in which somebody may be at work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is open in a terminal besides Codeman's own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It waits for your approval in Codeman</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman gives it new work by itself (respawn is on)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It goes on by itself (a Ralph loop is active)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A task of it is running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{running} tasks of it are running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It works on a task of Codeman's queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{active} subagents are at work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A scheduled run of Codeman uses it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A scheduled run of Codeman is at work in its folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman is asked to close the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman is asked to take it off its list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The agent (Codeman, which does not run, will list the session until it is closed there)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman starts it again, as a new session with the same conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman starts it again; no log of its conversation was found, so it may begin anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its agent runs on another computer, so Agent Ring leaves it alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its agent runs in a container, so Agent Ring leaves it alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It belongs to another user of Codeman, so Agent Ring leaves it alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its log cannot be read ({log_fault})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman runs it for one task and waits for its answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What started it is gone, and nothing can reach it any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What Codeman says is old: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its pane is gone, so Codeman cannot reach its agent any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What Codeman says of it is not known: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman has let go of it and still keeps it in tmux</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman does not list it; that is looked at once more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman's server does not run; the session lives on in tmux</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{down}, and a shell there would start its agent again. Start Codeman to release it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{down}. Start Codeman to release it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its program has ended{word}; Codeman still lists it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing runs in it; Codeman lists it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>process table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start it again in Codeman, in this folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>started by its server for one task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the agent's variables, in a pane of tmux</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starts the agent, and stays above it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the agent's variables, below the shell of a pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the agent's variables; nothing is above it any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a further pane of its tmux session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pane of its tmux session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server's client of tmux</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a check of its own, in a tmux session of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tmux server with nothing but its sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its tmux server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a view on a session of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{strange} of its sessions are not understood</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update Agent Ring; they are left alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server at {address} is not read: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; the password in its environment cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bare answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without a password</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server {version} at {address} ({dialect}), signed in {signed_in}, {count} session{value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman offers no “{name}” for this session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman did not close it: {what}. Close it in Codeman</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It runs again by now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its log cannot be read any more ({value})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It works by now: {works}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something was written in its terminal since it was looked at. Look again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman can do nothing with this. Start the session again in Codeman</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No Codeman server was found. Start Codeman, then try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the folder again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start it in Codeman</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman made no session: {what}. {mend}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Codeman made “{name}” ({id}) and did not start it: {what}. Start it in Codeman</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It runs again in Codeman as “{name}” ({id})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Password of Codeman's server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read CODEMAN_PASSWORD and CODEMAN_USERNAME from the environment of Codeman's server (process {processes}) whenever Agent Ring has to sign in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sign in to that server once, and use its cookie from then on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The password stays in memory and is never written, shown or sent anywhere else</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You can also enter it in the settings of Agent Ring instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>agentring hosts forbid {host} {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody answers at {address}, which its agents remember</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{address} is another computer and is not asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the panes on {path} are not known: {fault}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install tmux, or check its socket; idle sessions are not released meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{left_alone} of its sessions run elsewhere (ssh, container, another user) and are left alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its panes are not known ({fault})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install tmux, or check the socket; its sessions are not released meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its daemon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its daemon's own list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a view on the daemon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its log, which it holds open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the session variable of its tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>started in a group of its own, without a session's variable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the daemon for all terminals</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an adapter for editors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mcp login logout completion debug apply a sandbox features update doctor cloud delete archive unarchive app plugin responses-api-proxy stdio-to-uds execpolicy queue migrate-rollouts migrate-nfs-db remote-control help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a part of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its desktop app</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starts its program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a view on a server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>resume in its arguments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>part of the host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server for one client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Craft Agents offers no “{name}” for this session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is put into Craft Agents. Look again before you agree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the id of its session's record: certain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no session on disk has that id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>started by its server; nothing tells for which session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it runs in its session's own folder: certain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{session_dir}, and it runs in that session's folder: nearly certain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its folder, and its log begins with it: nearly certain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its folder, and the nearest first message: likely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, as with another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a short question, begun together with its session's agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a short question; {session_dir} may name another session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server is gone; {session_dir} may name another session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run by its session's agent under its own name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it started the helpers of this session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a helper of its server that no source of a workspace starts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{session_dir}, and begun just before its backend: nearly certain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{session_dir}, and begun with its first message: nearly certain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source “{slug}” and {session_dir} alone: likely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source “{slug}”, and no other session is without a helper of it: likely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source “{slug}”, and every session that uses it has its own helper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source “{slug}”, which no session has switched on: left over, from which cannot be told</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source “{slug}”, which it alone uses; more of its helpers run than it needs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source “{slug}”, which several sessions use; it cannot be told which: not certain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its session was deleted; {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has a first line that is no session's header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no JSON of the kind that Craft Agents writes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the source cannot be read ({name})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its helpers are counted with the server; save the source anew in Craft Agents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its sessions are still known from their processes; open the app</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>session record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its session folder was deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its session record {fault}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its agent's log cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its agent's log is not found, so that background agents could not be seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its server says that a turn runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No backend of it runs; this was its last message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its server said that no turn runs, before that</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its server says that no turn runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This was its last message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its last message was cut off before this backend began</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its last message has no answer yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>`agentring hosts allow {host} {}`</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>agentring hosts forbid {host} {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it keeps the agents of its Claude sessions between turns, each about 200 MB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{keep_alive}=0 in the environment of the server goes back to one process for each turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it offers {release_channel}, which is used first to release a session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it offers {channel}, which this version of Agent Ring does not know and does not use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>desktop app</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} {value}, config in {folder}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not asked yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} lets Agent Ring ask it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{found}; not asked, {why}: sessions are known from processes and disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ask the server, when you release a session, to switch off all sources of that session, which closes their MCP servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The session's list of sources changes, visibly and for good: switch them on again in the session.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without this, helpers stay with the server; ended by a signal they would be missed until it restarts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read {token} from the environment of the server (process {pid})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read serverConfig.token from {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the server which sessions work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sign in to that server with it, on this computer, and ask for the list of sessions every 10 s at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The token stays in memory: it is not stored, shown, logged or exported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It would let its holder do all that you can do there. Agent Ring reads no message and deletes nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the desktop app keeps its token to itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no token is known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its token cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server does not listen on port {wanted}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not told on which port it listens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set CRAFT_RPC_PORT for the server, or wait until it has started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pi backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Claude backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>short question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>message worker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its message worker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its agent, by the docs that it is given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its Pi backend; no variable names its session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{session_dir}, set for this backend alone: certain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a short question of its server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>craft-agents {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The session's backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its server is asked to let go of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its server is asked to close its helpers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its next message starts it again, with its history</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server cannot be asked now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>closing helpers is not allowed any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its sources are switched off: {sources}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server offers no release any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a script of that name in another project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it started backends, or its lock says so</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the session's record {fault}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is released of it; check the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the log of {key}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be read ({why})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server does not know it under its id alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a turn runs in it by now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it got a message just now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{comes_back}; its sources have to be switched on again: {closed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading its files takes longer than one look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the disk or network folder that they lie on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} offers no “{name}” for this session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a part of its program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leads to agents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names no process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not used; its host writes it again when it starts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server's file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the variable that it was started with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the log that began in its folder after it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its log or record cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} is asked to end the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be read ({strerror})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check what it is, its size and its permissions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} could not be started: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} did not answer within {command_s} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a view on its server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a helper of the host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept ready for the next session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its arguments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} in its environment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the variable that it inherited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder cannot be read ({strerror})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check its permissions; its hosts are not known now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more than {files_limit} descriptions; the others are left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move those that you do not need elsewhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check its size and permissions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it as UTF-8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is a host “{host}” already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give yours another id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{shown}” is a program of {title} already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take it out: one process is of one host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>node nodejs bun deno electron tsx ts-node python ruby perl php java dotnet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>goose goosed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>@ampcode @sourcegraph amp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>@factory droid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>aider aider.exe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cli server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Editor adapters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>claude-agent-acp claude-code-acp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dist index.js</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kiro-cli kiro-cli-chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the plugin in its host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its host's cache on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>agentring hosts dsh install-plugin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It needs the plugin to be released: `{install}` puts it into its host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its host is asked to unload it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a background job of it runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has a schedule that is still to run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a terminal of it is open, which would be killed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is open in a view, which would hold its memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>input waits in it that it has not taken up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this version of the host offers the plugin no way to unload it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DSH offers no “{name}” for this session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its host refuses: {reasons}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It would write something else by now. Look again before you agree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That profile is not there any more. Look again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its log's lock, which it holds open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its host's own list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>started by its host for all sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program that started it is attached to it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its history is on disk, DSH lists it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This version of its host offers the plugin no way to release it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its host would refuse: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A turn is open: its host says that it runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{working} subagents are at work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A background job runs: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A background job runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A schedule of it is still to run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A terminal of it is open in its host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is open in a view of its host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input waits in it that it has not taken up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its host says that it is idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plugin cannot be asked: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing on disk tells what it is doing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No prompt was sent to it yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it holds {sessions} live sessions, of which {sessions_limit} are shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release some, or restart it when nothing runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a host{version} does not show which sessions it holds without the plugin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the plugin is not mounted any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>`{install}` puts it into its host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its token file names port {port}, on which its host does not listen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If this stays, restart DSH, or install the plugin again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released in {took_ms} ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{took}; its heap holds {used_bytes} until its next full collection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It stays listed in DSH{place}; opening it or its next prompt wakes it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; heap capped at {cap} by its flags</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the plugin is not mounted in it{capped}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>`{install}` puts it there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the plugin {value} is mounted, {heap}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not say why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}; it cannot release here: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profile “{profile}” in {home}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>npm package</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PyPI runtime</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source checkout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its {profile} program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its host, a child of the desktop app</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>larger than {limit_bytes} bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a regular file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OpenCode is asked to end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OpenCode is asked once more to end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OpenCode is ended at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OpenCode is asked to end its helpers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OpenCode is asked to end this folder's helpers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OpenCode offers no “{name}” for this session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an earlier look still reads it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its database cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the session last used in its folder since it began</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its database</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A turn is open: its answer is not complete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the only session that its server used since it began</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OpenCode cannot be asked: {fault}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It waits for a permission</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its server says that a turn runs: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its server lists no running turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the database cannot be read: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions of terminals are shown as unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it takes too long to read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is no regular file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is no SQLite database</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its tables are not those of an OpenCode version that is known here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auth providers models upgrade uninstall mcp agent github pr stats export import debug session db completion plugin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the variable that OpenCode's children carry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it listens on no port that could be found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server does not answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server answered {status_code}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its helpers are being ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server does not say that it is healthy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server asks for a password, so its sessions cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server sends more than can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server answers with {status_code}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its server answers something that is not known here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove one of the two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>could not be loaded: {name}: {fault}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update or uninstall the plug-in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no host: it lacks {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no host: it lacks environment_names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not run now; {said}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not found: no {looked_for}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not looked for on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>installed: {parts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no program found, {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is no folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be looked at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} cannot be read ({why}): its memory is counted, its titles and states are not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check what it is and its permissions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{command}” on the PATH</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an incident could not be written ({value})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make room, or let this user write there; what is kept already stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be read ({value})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow this user to read it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was written by a newer version (schema {version})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is left as it is and passed over; the other incidents hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is damaged ({why}); it was set aside as {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other incidents hold; nothing needs to be done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is damaged ({why}) and cannot be set aside ({value})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete it; the other incidents hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its heap holds {used_bytes} of {limit_bytes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It grew by {growth_bytes_per_h} an hour; so it would be full in {left}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About {releasable_bytes} of it could be released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The heap of {title} is at {heap} of its limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A session of {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, in the middle of a turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, in the middle of {turns} turns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{who} was ended by Agent Ring{within}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{who} was killed by the kernel for lack of memory{within}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{who} ended with its heap at {heap} of its limit{within}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{who} was restarted{within}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{who} ended{within}; nothing tells why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A receipt names it; it was asked for from the {by_whom}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, as told {age_s} before it was last seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its heap held {used_bytes} of {limit_bytes}{told}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The machine slept or measuring was paused meanwhile: it ended at an unknown time within {away}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The machine was short of memory when it was last seen ({pressure}): {free} available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>within the gap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another process of the same host took its place {when}: {pid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is of another version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the limit of its control group was met</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the machine was out of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, with {resident_bytes} resident</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel log says that it was killed{held}: {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel log tells of a fault of its own: {fault}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel log was read and does not name it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel log cannot be read: {unread}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel counted {group_kills} for lack of memory in its control group meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel counted {kills} for lack of memory on the machine meanwhile, of unknown processes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its schema is {schema}, this Agent Ring knows {schema2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it could not be written ({value})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make room, or let this user write there; a restart forgets owners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be used ({why}) nor set aside ({value})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be used ({why}); it was set aside as {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is begun anew; nothing needs to be done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no answer within {observe_timeout_s} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a look failed ({name}: {error})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It goes on; what was shown before is older.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its adapter failed: {fault}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch it on again, or `agentring policies on {name}`</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has switched itself off: what it released came back ({title})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has switched itself off: what it released is still there ({sentence})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>working them out failed ({name}); none of them does anything until the next start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start Agent Ring anew, and report it if it comes again (`agentring record`)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It does nothing: what it would do could not be worked out ({name})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asked to end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its helpers are asked to end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for its helpers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the heap's next full collection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not begun: {not_begun}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another Agent Ring on this computer has been acting for a minute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the journal cannot be written ({value})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not begun: stopped by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not done: it is not there any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not done: its host was started anew since the list was made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not done: its processes belong elsewhere now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not done: process {pid} runs another program since the list was made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not done: it runs in a new process since the list was made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its host offers no release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It runs again in a new process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label}: not possible, the host is not known any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no answer within {call_timeout_s} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its host says that it is cleared, but still lists it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its host says that it is released, but still holds it{rest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cleared; nothing of it ran</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released inside its host, which goes on{rest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not done: this cannot be asked of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{action}, which you were not asked about</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{survivors} still run{value}, {sentence}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {skipped} of those shown had ended before or {value} elsewhere now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} to {who} withheld: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} to {who} not permitted by the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>began meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped, does not react until it is continued</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits for the system and cannot react</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>still runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ended just now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is released or ended until it can be: make room, or let this user write there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be read ({error})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was written by a newer version (schema {schema})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is left as it is and passed over; the other entries hold.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its session is gone, so nobody can miss it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle for {idle_s}; the longest goes first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 surplus backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{surplus} surplus backends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{surplus}; the session keeps its current one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its host holds what is left of it and would miss it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recognised, not understood: its host speaks in another way than this version knows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot tell whose installation it belongs to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another user's process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only a session can be released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two sessions claim this process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its agent has ended, its host still lists it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} ({pid}) would start it again; stop it there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle, not yet confirmed by a second look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its host offers no orderly end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle for a short time only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ending it ends its container and all that runs there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot tell which of its host's sessions it serves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It does nothing: {fault}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quiet hours until {value}:{value2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most {most_an_hour} an hour; they come later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most {most_an_hour} an hour; the next in {next_s}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No session is idle for longer than {after_s}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{long_idle} idle for longer than {after_s}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle for {idle_s}, longer than {after_s}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No host has more than {at_most} idle sessions; the most are {most}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{wanted} beyond the {at_most} of each host that stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last used {group} ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>used longest ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{idle} sessions of its host are idle, {at_most} stay; this one was {used}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This system does not tell how much memory it has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agents hold {held}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{holds}, not more than {mark}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{holds}, more than {mark}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory is short; it waits {beat_s} to see what the last release brought</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory is short ({pressure})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This system does not tell if memory is short</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory is not short</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No host tells how full its heap is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No heap is fuller than {share}; the fullest is at {fullest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its heap is full; it waits for its next full collection to see what the last release brought</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The heap of {host} is at {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, more than {share}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its heap is at {value}, more than {share}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no orphans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its session is gone for {for_s}, longer than {after_s}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is an orphan and {for_s} old, older than {after_s}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No orphan is older than {after_s}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{old} older than {after_s}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No session has a surplus backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{surplus} with surplus backends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing of the kind is done without a person</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is known of it is old or not certain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not known to be idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot tell when somebody typed in its terminal last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Somebody typed in its terminal {ago_s} ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its folder is not known, and the policy leaves a folder alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The policy leaves {match} alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent Ring ended in the middle of this; it was looked at afterwards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What became of it inside its host is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{survived} still run{value}, {gone} gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory pressure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what a session holds inside its host's heap, nor in which heap it lives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>which processes of a session are surplus backends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The setting idle_after_s is {least}: nothing that is idle for less is released.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No heap was fuller than {share} of its limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heaps were fuller than {share} of their limit for {lasted}, all of them added up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It does nothing: {fault}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The history does not hold {missing}, so this policy cannot be replayed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The history does not hold memory pressure: it counts as if there had always been some.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much memory the machine has is not known here, so a share of it counts as never reached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The history does not hold the programs of a session: what names a program matches nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The history does not hold what protects an idle session: a scheduled wake-up, an attached view, a key press in its terminal, a question only its host knows, or that you keep it. The policy would spare these.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A turn that began and ended within one minute, and before the last 7 days within 15 minutes, is only seen where it used enough CPU.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of Agent Ring. Comments stay; a line that is missing has its default.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all settings have their defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all settings are as they were</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} cannot be used ({error})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct that line; until then it is {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}; the file was set aside as {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New settings were written; move what you want to keep over from the old file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the settings cannot be read ({strerror})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow reading it; until then all settings have their defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the settings are not valid TOML ({why})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct that line; until then all settings have their defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>settings that are not known: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They are kept and have no effect; check their spelling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the settings have version {schema}, this Agent Ring knows {schema2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it understands holds, the rest is kept; update Agent Ring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write them as tables, [[policies]]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it as tables, [hosts.NAME]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what the settings say about {of} is written in a way that cannot be edited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hosts is no table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write [hosts.NAME] and below it user, secret or allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the settings hold a secret and others on this computer can read them ({told_mode})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it as a table with user, secret or allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{key} cannot be used ({error})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct that line; until then it is not set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allowed is no list of words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is allowed there; the words: {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what is allowed is not known: {unknown}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has no effect; the words are {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>settings that are not known: {others}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it another name; until then it does nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another policy has this name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write [[policies]] and below it name, trigger and what it needs; until then there are none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>policies is no list of tables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>policy number {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A work process runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{work} work processes run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 process could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{unread} processes could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No work process runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Somebody typed in its terminal just now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another session runs below it: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work of another session runs below it: {name}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
