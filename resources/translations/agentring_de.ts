<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>agentring</name>
    <message>
        <source>Read its token or password</source>
        <translation>Token oder Passwort lesen</translation>
    </message>
    <message>
        <source>Close the helpers of released sessions</source>
        <translation>Helfer freigegebener Sitzungen schließen</translation>
    </message>
    <message>
        <source>read the token or password of {host} from the environment of its process whenever it is needed</source>
        <translation>Token oder Passwort von {host} aus der Umgebung des Prozesses lesen, wann immer es gebraucht wird</translation>
    </message>
    <message>
        <source>sign in to {host} with it, on this computer</source>
        <translation>sich damit auf diesem Computer bei {host} anmelden</translation>
    </message>
    <message>
        <source>ask {host} to close the helpers of a session that is released</source>
        <translation>{host} bitten, die Helfer einer freigegebenen Sitzung zu schließen</translation>
    </message>
    <message>
        <source>change the settings of that session in {host} for it</source>
        <translation>dafür die Einstellungen dieser Sitzung in {host} ändern</translation>
    </message>
    <message>
        <source>It is kept in memory only: never written, logged, shown or exported</source>
        <translation>Es bleibt im Arbeitsspeicher: nie geschrieben, protokolliert, gezeigt oder exportiert</translation>
    </message>
    <message>
        <source>Without it they stay with {host} and count as its own</source>
        <translation>Ohne das bleiben sie bei {host} und zählen dort</translation>
    </message>
    <message>
        <source>{kind} in {file}, line {line}</source>
        <translation>{kind} in {file}, Zeile {line}</translation>
    </message>
    <message>
        <source>A turn is open in another log of its folder, which may be its own</source>
        <translation>In einem anderen Log ihres Ordners läuft eine Antwort; es könnte ihres sein</translation>
    </message>
    <message>
        <source>No turn has begun yet</source>
        <translation>Noch hat keine Antwort begonnen</translation>
    </message>
    <message>
        <source>The turn ended</source>
        <translation>Die Antwort ist beendet</translation>
    </message>
    <message>
        <source>The last turn was cut off before this process began</source>
        <translation>Die letzte Antwort brach ab, bevor dieser Prozess begann</translation>
    </message>
    <message>
        <source>It waits for your answer</source>
        <translation>Wartet auf deine Antwort</translation>
    </message>
    <message>
        <source>A tool call has no result yet</source>
        <translation>Ein Werkzeugaufruf hat noch kein Ergebnis</translation>
    </message>
    <message>
        <source>A tool call has no result yet: {names}</source>
        <translation>Ein Werkzeugaufruf hat noch kein Ergebnis: {names}</translation>
    </message>
    <message>
        <source>A turn runs</source>
        <translation>Eine Antwort läuft</translation>
    </message>
    <message>
        <source>reading its files takes longer than one look</source>
        <translation>das Lesen der Dateien dauert länger als ein Durchgang</translation>
    </message>
    <message>
        <source>Check the disk or network folder that they lie on</source>
        <translation>Prüfe den Datenträger oder das Netzlaufwerk, auf dem sie liegen</translation>
    </message>
    <message>
        <source>{host} offers no “{name}” for this session</source>
        <translation>{host} bietet „{name}“ für diese Sitzung nicht an</translation>
    </message>
    <message>
        <source>lines that are cut or damaged are left out: {lines}</source>
        <translation>abgeschnittene oder beschädigte Zeilen werden ausgelassen: {lines}</translation>
    </message>
    <message>
        <source>The rest is used; nothing needs to be done</source>
        <translation>Der Rest wird verwendet; es ist nichts zu tun</translation>
    </message>
    <message>
        <source>cannot be read ({error})</source>
        <translation>kann nicht gelesen werden ({error})</translation>
    </message>
    <message>
        <source>Check what it is and its permissions</source>
        <translation>Prüfe, was es ist, und die Zugriffsrechte</translation>
    </message>
    <message>
        <source>It is there and cannot be read</source>
        <translation>Es ist da und kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>It says that a turn runs</source>
        <translation>Sie meldet eine laufende Antwort</translation>
    </message>
    <message>
        <source>It says that it does nothing</source>
        <translation>Sie meldet, dass sie nichts tut</translation>
    </message>
    <message>
        <source>reading it takes longer than one look</source>
        <translation>das Lesen dauert länger als ein Durchgang</translation>
    </message>
    <message>
        <source>Check the disk or network folder it lies on</source>
        <translation>Prüfe den Datenträger oder das Netzlaufwerk, auf dem es liegt</translation>
    </message>
    <message>
        <source>Codex offers no “{name}” for this session</source>
        <translation>Codex bietet „{name}“ für diese Sitzung nicht an</translation>
    </message>
    <message>
        <source>Codex daemon {pid}</source>
        <translation>Codex-Daemon {pid}</translation>
    </message>
    <message>
        <source>it has no socket at {path}, so its threads are told by their logs</source>
        <translation>er hat keinen Socket unter {path}, daher werden seine Threads aus den Logs bestimmt</translation>
    </message>
    <message>
        <source>version {version} answers: {threads} threads, {servers} connections to MCP servers</source>
        <translation>Version {version} antwortet: {threads} Threads, {servers} Verbindungen zu MCP-Servern</translation>
    </message>
    <message>
        <source>the log cannot be read ({error})</source>
        <translation>das Log kann nicht gelesen werden ({error})</translation>
    </message>
    <message>
        <source>damaged lines are left out</source>
        <translation>beschädigte Zeilen werden ausgelassen</translation>
    </message>
    <message>
        <source>the index cannot be read ({error})</source>
        <translation>der Index kann nicht gelesen werden ({error})</translation>
    </message>
    <message>
        <source>Check its permissions</source>
        <translation>Prüfe die Zugriffsrechte</translation>
    </message>
    <message>
        <source>cannot be looked at ({error})</source>
        <translation>kann nicht untersucht werden ({error})</translation>
    </message>
    <message>
        <source>the folder cannot be read ({error})</source>
        <translation>der Ordner kann nicht gelesen werden ({error})</translation>
    </message>
    <message>
        <source>Its daemon is asked to unload it</source>
        <translation>Der Daemon wird gebeten, sie zu entladen</translation>
    </message>
    <message>
        <source>it has no socket at {path}</source>
        <translation>es gibt keinen Socket unter {path}</translation>
    </message>
    <message>
        <source>Its daemon cannot be asked to release it: {why}</source>
        <translation>Der Daemon kann nicht um die Freigabe gebeten werden: {why}</translation>
    </message>
    <message>
        <source>with CODEX_HOME={home}</source>
        <translation>mit CODEX_HOME={home}</translation>
    </message>
    <message>
        <source>Its daemon says that it has failed</source>
        <translation>Der Daemon meldet einen Fehler</translation>
    </message>
    <message>
        <source>It waits for you</source>
        <translation>Wartet auf Antwort</translation>
    </message>
    <message>
        <source>A turn is open: its daemon says that it runs</source>
        <translation>Eine Antwort läuft noch: der Daemon meldet sie als aktiv</translation>
    </message>
    <message>
        <source>A command runs in the background: {command}</source>
        <translation>Im Hintergrund läuft ein Befehl: {command}</translation>
    </message>
    <message>
        <source>A subagent is at work</source>
        <translation>Ein Subagent arbeitet</translation>
    </message>
    <message>
        <source>Its daemon says that it is idle</source>
        <translation>Der Daemon meldet sie als untätig</translation>
    </message>
    <message>
        <source>A terminal shows it, which would load it again</source>
        <translation>Ein Terminal zeigt sie an und würde sie neu laden</translation>
    </message>
    <message>
        <source>A terminal is open in its folder; if it shows it, it would load it again</source>
        <translation>In ihrem Ordner ist ein Terminal offen; zeigt es sie an, würde es sie neu laden</translation>
    </message>
    <message>
        <source>{name}, which started it, is attached to it</source>
        <translation>{name}, von dem sie gestartet wurde, ist damit verbunden</translation>
    </message>
    <message>
        <source>Its log cannot be read</source>
        <translation>Das Log kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>A turn is open in another thread of the same run</source>
        <translation>In einem anderen Thread desselben Laufs läuft eine Antwort</translation>
    </message>
    <message>
        <source>it holds {count} loaded threads, of which {shown} are shown</source>
        <translation>er hält {count} geladene Threads, davon werden {shown} gezeigt</translation>
    </message>
    <message>
        <source>Release some of them</source>
        <translation>Gib einige davon frei</translation>
    </message>
    <message>
        <source>What it holds of its daemon's memory cannot be told apart and is counted with the daemon</source>
        <translation>Ihr Anteil am Speicher des Daemons ist nicht zu trennen und zählt beim Daemon</translation>
    </message>
    <message>
        <source>It asks you a question</source>
        <translation>Sie stellt eine Frage</translation>
    </message>
    <message>
        <source>A subagent has not answered yet</source>
        <translation>Ein Subagent hat noch nicht geantwortet</translation>
    </message>
    <message>
        <source>A turn is open</source>
        <translation>Eine Antwort läuft noch</translation>
    </message>
    <message>
        <source>It asks for your permission</source>
        <translation>Sie bittet um eine Erlaubnis</translation>
    </message>
    <message>
        <source>If this stays, `codex app-server daemon restart` when nothing runs</source>
        <translation>Bleibt es dabei: `codex app-server daemon restart`, wenn nichts läuft</translation>
    </message>
    <message>
        <source>Update Agent Ring</source>
        <translation>Aktualisiere Agent Ring</translation>
    </message>
    <message>
        <source>already released</source>
        <translation>bereits freigegeben</translation>
    </message>
    <message>
        <source>its daemon does not archive it: {words}</source>
        <translation>der Daemon archiviert sie nicht: {words}</translation>
    </message>
    <message>
        <source>unloaded and kept</source>
        <translation>entladen und erhalten</translation>
    </message>
    <message>
        <source>a turn is running in it</source>
        <translation>darin läuft eine Antwort</translation>
    </message>
    <message>
        <source>a subagent of it is at work</source>
        <translation>ein Subagent davon arbeitet</translation>
    </message>
    <message>
        <source>it waits for you</source>
        <translation>sie wartet auf Antwort</translation>
    </message>
    <message>
        <source>Look again when it is done</source>
        <translation>Versuche es erneut, wenn sie fertig ist</translation>
    </message>
    <message>
        <source>its daemon does not say that it is idle</source>
        <translation>der Daemon meldet sie nicht als untätig</translation>
    </message>
    <message>
        <source>a command of it runs in the background: {command}</source>
        <translation>ein Befehl davon läuft im Hintergrund: {command}</translation>
    </message>
    <message>
        <source>Stop it in Codex first: /stop</source>
        <translation>Halte ihn zuerst in Codex an: /stop</translation>
    </message>
    <message>
        <source>its daemon does not bring it back</source>
        <translation>der Daemon holt sie nicht zurück</translation>
    </message>
    <message>
        <source>{what}, and it may be archived now</source>
        <translation>{what}, und sie ist nun womöglich archiviert</translation>
    </message>
    <message>
        <source>`codex unarchive {id}` brings it back</source>
        <translation>`codex unarchive {id}` holt sie zurück</translation>
    </message>
    <message>
        <source>a terminal that shows it has loaded it again</source>
        <translation>ein Terminal, das sie zeigt, hat sie neu geladen</translation>
    </message>
    <message>
        <source>Close it there first, then release it</source>
        <translation>Schließe sie dort zuerst und gib sie dann frei</translation>
    </message>
    <message>
        <source>its socket cannot be reached ({kind})</source>
        <translation>der Socket ist nicht erreichbar ({kind})</translation>
    </message>
    <message>
        <source>it closed the connection</source>
        <translation>die Verbindung wurde geschlossen</translation>
    </message>
    <message>
        <source>its socket cannot be used on this system</source>
        <translation>der Socket kann auf diesem System nicht benutzt werden</translation>
    </message>
    <message>
        <source>its socket is not there ({error})</source>
        <translation>der Socket ist nicht da ({error})</translation>
    </message>
    <message>
        <source>what should be its socket is none</source>
        <translation>was der Socket sein sollte, ist keiner</translation>
    </message>
    <message>
        <source>its socket is another user's</source>
        <translation>der Socket gehört einem anderen Benutzer</translation>
    </message>
    <message>
        <source>Nothing is asked there; look who put it there</source>
        <translation>Dort wird nichts angefragt; prüfe, wer ihn angelegt hat</translation>
    </message>
    <message>
        <source>another process than this daemon listens on its socket</source>
        <translation>ein anderer Prozess als dieser Daemon hört an diesem Socket</translation>
    </message>
    <message>
        <source>it does not answer within {seconds} s</source>
        <translation>keine Antwort innerhalb von {seconds} s</translation>
    </message>
    <message>
        <source>it does not speak as is known: “{field}” in {where}</source>
        <translation>die Antwort hat nicht die bekannte Form: „{field}“ in {where}</translation>
    </message>
    <message>
        <source>Another session in the same process is at work</source>
        <translation>Im selben Prozess arbeitet eine andere Sitzung</translation>
    </message>
    <message>
        <source>Its turn ended, and it waits for something in the background</source>
        <translation>Die Antwort ist beendet, sie wartet auf etwas im Hintergrund</translation>
    </message>
    <message>
        <source>It says that it works</source>
        <translation>Sie meldet, dass sie arbeitet</translation>
    </message>
    <message>
        <source>It says that it does not work</source>
        <translation>Sie meldet, dass sie nicht arbeitet</translation>
    </message>
    <message>
        <source>Its log does not tell whether a tool waits for your permission</source>
        <translation>Das Log verrät nicht, ob ein Werkzeug auf deine Erlaubnis wartet</translation>
    </message>
    <message>
        <source>Its log does not tell whether a helper still works for it</source>
        <translation>Das Log verrät nicht, ob noch ein Helfer dafür arbeitet</translation>
    </message>
    <message>
        <source>not found: no {places}</source>
        <translation>nicht gefunden: kein {places}</translation>
    </message>
    <message>
        <source>none of its programs is on the PATH, data in {data}</source>
        <translation>keines seiner Programme im PATH, Daten in {data}</translation>
    </message>
    <message>
        <source>does not run now: {where}</source>
        <translation>läuft gerade nicht: {where}</translation>
    </message>
    <message>
        <source>{program}, version {version}, data in {data}</source>
        <translation>{program}, Version {version}, Daten in {data}</translation>
    </message>
    <message>
        <source>{program}, version {version}, no data yet</source>
        <translation>{program}, Version {version}, noch keine Daten</translation>
    </message>
    <message>
        <source>{program}, whose files tell no version, data in {data}</source>
        <translation>{program}, deren Dateien keine Version nennen, Daten in {data}</translation>
    </message>
    <message>
        <source>{program}, whose files tell no version, no data yet</source>
        <translation>{program}, deren Dateien keine Version nennen, noch keine Daten</translation>
    </message>
    <message>
        <source>{folder} cannot be read ({why}): its memory is counted, its titles and states are not known</source>
        <translation>{folder} kann nicht gelesen werden ({why}): Der Speicher wird gezählt, Titel und Zustände sind unbekannt</translation>
    </message>
    <message>
        <source>what you keep could not be written ({why})</source>
        <translation>was du behältst, konnte nicht gespeichert werden ({why})</translation>
    </message>
    <message>
        <source>Make room, or let this user write there, and try again</source>
        <translation>Schaffe Platz oder erlaube diesem Benutzer dort zu schreiben, und versuche es erneut</translation>
    </message>
    <message>
        <source>it cannot be read ({why})</source>
        <translation>es kann nicht gelesen werden ({why})</translation>
    </message>
    <message>
        <source>Allow this user to read it. What was known before still holds, and no policy acts till then</source>
        <translation>Erlaube diesem Benutzer das Lesen. Bisher Bekanntes gilt weiter; bis dahin handelt keine Regel</translation>
    </message>
    <message>
        <source>it was damaged; it was set aside as {file}</source>
        <translation>es war beschädigt und wurde als {file} beiseitegelegt</translation>
    </message>
    <message>
        <source>it was written by a newer version (schema {schema})</source>
        <translation>es stammt von einer neueren Version (Schema {schema})</translation>
    </message>
    <message>
        <source>It is left as it is: use that version, or delete it to keep anew. No policy acts till then</source>
        <translation>Es bleibt unverändert: Nutze jene Version oder lösche die Datei, um neu zu beginnen. Bis dahin handelt keine Regel</translation>
    </message>
    <message>
        <source>it is damaged ({damage}) and cannot be set aside ({why})</source>
        <translation>es ist beschädigt ({damage}) und kann nicht beiseitegelegt werden ({why})</translation>
    </message>
    <message>
        <source>Delete it and keep again what you want to keep. No policy acts till then</source>
        <translation>Lösche die Datei und wähle neu, was du behalten willst. Bis dahin handelt keine Regel</translation>
    </message>
    <message>
        <source>it is damaged ({damage}); it was set aside as {file}</source>
        <translation>es ist beschädigt ({damage}) und wurde als {file} beiseitegelegt</translation>
    </message>
    <message>
        <source>Keep again what you want to keep (`agentring keep`). No policy acts till then, or till a restart</source>
        <translation>Wähle neu, was du behalten willst (`agentring keep`). Bis dahin oder bis zum Neustart handelt keine Regel</translation>
    </message>
    <message>
        <source>Idle, confirmed twice</source>
        <translation>Untätig, zweimal bestätigt</translation>
    </message>
    <message>
        <source>A surplus backend; the session keeps its newest one</source>
        <translation>Ein überzähliges Backend; die Sitzung behält ihr neuestes</translation>
    </message>
    <message>
        <source>Its session is gone</source>
        <translation>Die zugehörige Sitzung ist weg</translation>
    </message>
    <message>
        <source>A job its session left running</source>
        <translation>Eine Aufgabe, die ihre Sitzung laufen ließ</translation>
    </message>
    <message>
        <source>Left over from an earlier run</source>
        <translation>Übrig von einem früheren Lauf</translation>
    </message>
    <message>
        <source>A turn is running</source>
        <translation>Eine Antwort läuft</translation>
    </message>
    <message>
        <source>A background task is running</source>
        <translation>Eine Hintergrundaufgabe läuft</translation>
    </message>
    <message>
        <source>A subagent is working</source>
        <translation>Ein Subagent arbeitet</translation>
    </message>
    <message>
        <source>It will wake up by itself</source>
        <translation>Wacht von selbst wieder auf</translation>
    </message>
    <message>
        <source>It is open in a terminal</source>
        <translation>Ist in einem Terminal geöffnet</translation>
    </message>
    <message>
        <source>Cannot tell if it is idle</source>
        <translation>Unklar, ob untätig</translation>
    </message>
    <message>
        <source>Too young to be judged</source>
        <translation>Zu jung für ein Urteil</translation>
    </message>
    <message>
        <source>Its session still runs</source>
        <translation>Die zugehörige Sitzung läuft noch</translation>
    </message>
    <message>
        <source>Other sessions use it too</source>
        <translation>Andere Sitzungen nutzen es auch</translation>
    </message>
    <message>
        <source>Its backend serves other sessions</source>
        <translation>Das Backend bedient auch andere Sitzungen</translation>
    </message>
    <message>
        <source>It belongs to another session</source>
        <translation>Gehört zu einer anderen Sitzung</translation>
    </message>
    <message>
        <source>Checked again just before</source>
        <translation>Unmittelbar davor erneut geprüft</translation>
    </message>
    <message>
        <source>Another process has this number now</source>
        <translation>Die Nummer gehört jetzt einem anderen Prozess</translation>
    </message>
    <message>
        <source>Cannot be sure it is the same process</source>
        <translation>Nicht sicher, ob es derselbe Prozess ist</translation>
    </message>
    <message>
        <source>Already gone</source>
        <translation>Bereits weg</translation>
    </message>
    <message>
        <source>This app is never ended</source>
        <translation>Diese App wird nie beendet</translation>
    </message>
    <message>
        <source>A service that runs on purpose</source>
        <translation>Ein Dienst, der absichtlich läuft</translation>
    </message>
    <message>
        <source>Kept ready by its host</source>
        <translation>Vom Host bereitgehalten</translation>
    </message>
    <message>
        <source>Not an agent's process</source>
        <translation>Kein Prozess eines Agenten</translation>
    </message>
    <message>
        <source>Runs in a container</source>
        <translation>Läuft in einem Container</translation>
    </message>
    <message>
        <source>Agent Ring runs inside it</source>
        <translation>Agent Ring läuft darin</translation>
    </message>
    <message>
        <source>Already ended, its parent has not noticed</source>
        <translation>Bereits beendet, der Elternprozess hat es nicht bemerkt</translation>
    </message>
    <message>
        <source>You want to keep it</source>
        <translation>Du willst es behalten</translation>
    </message>
    <message>
        <source>The trigger “{trigger}” needs {figure}</source>
        <translation>Der Auslöser „{trigger}“ braucht {figure}</translation>
    </message>
    <message>
        <source>The trigger “{trigger}” has no use for {figure}</source>
        <translation>Der Auslöser „{trigger}“ hat keine Verwendung für {figure}</translation>
    </message>
    <message>
        <source>The trigger “heap” needs over as a share, such as “80%”</source>
        <translation>Der Auslöser „heap“ braucht over als Anteil, etwa „80%“</translation>
    </message>
    <message>
        <source>The trigger “heap” has no use for a size in over</source>
        <translation>Der Auslöser „heap“ hat keine Verwendung für eine Größe in over</translation>
    </message>
    <message>
        <source>It has no name that can be shown</source>
        <translation>Der Name kann nicht angezeigt werden</translation>
    </message>
    <message>
        <source>after has to be longer than nothing</source>
        <translation>after muss länger als nichts sein</translation>
    </message>
    <message>
        <source>at_most cannot be less than 0</source>
        <translation>at_most kann nicht kleiner als 0 sein</translation>
    </message>
    <message>
        <source>over has to be more than nothing</source>
        <translation>over muss mehr als nichts sein</translation>
    </message>
    <message>
        <source>over has to be a share from 0 to 100 %</source>
        <translation>over muss ein Anteil von 0 bis 100 % sein</translation>
    </message>
    <message>
        <source>most_an_hour has to be 1 or more; switch the policy off where nothing may be done</source>
        <translation>most_an_hour muss mindestens 1 sein; schalte die Regel aus, wenn nichts geschehen soll</translation>
    </message>
    <message>
        <source>grace has to be {least} or longer, so that somebody can keep the session</source>
        <translation>grace muss mindestens {least} sein, damit jemand die Sitzung behalten kann</translation>
    </message>
    <message>
        <source>typed cannot be less than 0s</source>
        <translation>typed kann nicht kleiner als 0s sein</translation>
    </message>
    <message>
        <source>quiet has to go from one time of day to another; the whole day is 00:00-24:00</source>
        <translation>quiet muss von einer Uhrzeit zu einer anderen gehen; der ganze Tag ist 00:00-24:00</translation>
    </message>
    <message>
        <source>An exception names exactly one of session, folder, host, program</source>
        <translation>Eine Ausnahme nennt genau eines von session, folder, host, program</translation>
    </message>
    <message>
        <source>An exception is empty</source>
        <translation>Eine Ausnahme ist leer</translation>
    </message>
    <message>
        <source>{what}, only while memory is short</source>
        <translation>{what}, nur bei knappem Speicher</translation>
    </message>
    <message>
        <source>Releases sessions that are idle for longer than {time}</source>
        <translation>Gibt Sitzungen frei, die länger als {time} untätig sind</translation>
    </message>
    <message>
        <source>Keeps at most {number} idle sessions of each host, the most recently used ones</source>
        <translation>Behält höchstens {number} untätige Sitzungen je Host, die zuletzt benutzten</translation>
    </message>
    <message>
        <source>Releases what goes first while agents together hold more than {limit}</source>
        <translation>Gibt das Nächste frei, solange Agenten zusammen mehr als {limit} belegen</translation>
    </message>
    <message>
        <source>Releases what goes first, one by one, while the computer is short of memory</source>
        <translation>Gibt eines nach dem anderen frei, solange der Speicher knapp ist</translation>
    </message>
    <message>
        <source>Releases idle sessions in a host's heap that is fuller than {limit}</source>
        <translation>Gibt untätige Sitzungen in einem Host-Heap frei, der voller als {limit} ist</translation>
    </message>
    <message>
        <source>Ends helpers whose session is gone for longer than {time}</source>
        <translation>Beendet Helfer, deren Sitzung länger als {time} weg ist</translation>
    </message>
    <message>
        <source>Ends surplus backends of idle sessions</source>
        <translation>Beendet überzählige Backends untätiger Sitzungen</translation>
    </message>
    <message>
        <source>{share} of its cap</source>
        <translation>{share} des Limits</translation>
    </message>
    <message>
        <source>{share} of memory</source>
        <translation>{share} des Speichers</translation>
    </message>
    <message>
        <source>{size} or {share}</source>
        <translation>{size} oder {share}</translation>
    </message>
    <message>
        <source>the session {name}</source>
        <translation>die Sitzung {name}</translation>
    </message>
    <message>
        <source>the folder {name}</source>
        <translation>den Ordner {name}</translation>
    </message>
    <message>
        <source>the host {name}</source>
        <translation>den Host {name}</translation>
    </message>
    <message>
        <source>the program {name}</source>
        <translation>das Programm {name}</translation>
    </message>
    <message>
        <source>the exception {name}</source>
        <translation>die Ausnahme {name}</translation>
    </message>
    <message>
        <source>{text} is no length of time. Write it as 90s, 30m, 4h or 1d</source>
        <translation>{text} ist keine Zeitspanne. Schreibe 90s, 30m, 4h oder 1d</translation>
    </message>
    <message>
        <source>{text} is no size. Write it as 8 GB or 512 MB</source>
        <translation>{text} ist keine Größe. Schreibe 8 GB oder 512 MB</translation>
    </message>
    <message>
        <source>{text} is no share. Write it as 40%</source>
        <translation>{text} ist kein Anteil. Schreibe 40%</translation>
    </message>
    <message>
        <source>{text} is no part of a day. Write it as 22:00-07:00</source>
        <translation>{text} ist kein Zeitraum eines Tages. Schreibe 22:00-07:00</translation>
    </message>
    <message>
        <source>is no table</source>
        <translation>ist keine Tabelle</translation>
    </message>
    <message>
        <source>Write it as [[policies]] with name and trigger</source>
        <translation>Schreibe es als [[policies]] mit name und trigger</translation>
    </message>
    <message>
        <source>Correct or remove it; until then the policy does nothing. The keys are {keys}</source>
        <translation>Berichtige oder entferne es; bis dahin tut die Regel nichts. Die Schlüssel sind {keys}</translation>
    </message>
    <message>
        <source>a key that is not known: {key}</source>
        <translation>ein unbekannter Schlüssel: {key}</translation>
    </message>
    <message>
        <source>{key} cannot be used: {why}</source>
        <translation>{key} ist nicht verwendbar: {why}</translation>
    </message>
    <message>
        <source>Correct that line; until then it does nothing</source>
        <translation>Berichtige diese Zeile; bis dahin tut sie nichts</translation>
    </message>
    <message>
        <source>it has no {key}</source>
        <translation>{key} fehlt</translation>
    </message>
    <message>
        <source>Add it; until then it does nothing</source>
        <translation>Ergänze es; bis dahin geschieht nichts</translation>
    </message>
    <message>
        <source>Correct it; until then the policy does nothing</source>
        <translation>Berichtige es; bis dahin tut die Regel nichts</translation>
    </message>
    <message>
        <source>it has to be a text</source>
        <translation>es muss ein Text sein</translation>
    </message>
    <message>
        <source>it has to be true or false</source>
        <translation>es muss true oder false sein</translation>
    </message>
    <message>
        <source>it has to be a whole number</source>
        <translation>es muss eine ganze Zahl sein</translation>
    </message>
    <message>
        <source>there is {choices}</source>
        <translation>es gibt {choices}</translation>
    </message>
    <message>
        <source>it can name one size and one share</source>
        <translation>es kann eine Größe und einen Anteil nennen</translation>
    </message>
    <message>
        <source>each names exactly one of session, folder, host, program, such as {folder = “~/work”}</source>
        <translation>jede nennt genau eines von session, folder, host, program, etwa {folder = „~/work“}</translation>
    </message>
    <message>
        <source>it has to be a list, in [ ]</source>
        <translation>es muss eine Liste sein, in [ ]</translation>
    </message>
    <message numerus="yes">
        <source>{n} processes gone</source>
        <extracomment>{n} process gone</extracomment>
        <translation>
            <numerusform>{n} Prozess weg</numerusform>
            <numerusform>{n} Prozesse weg</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} still run, {gone}</source>
        <extracomment>{n} still runs, {gone}</extracomment>
        <translation>
            <numerusform>{n} läuft weiter, {gone}</numerusform>
            <numerusform>{n} laufen weiter, {gone}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{gone}, {n} of those shown had ended before or belong elsewhere now</source>
        <extracomment>{gone}, {n} of those shown had ended before or belongs elsewhere now</extracomment>
        <translation>
            <numerusform>{gone}, {n} der gezeigten war schon beendet oder gehört jetzt woandershin</numerusform>
            <numerusform>{gone}, {n} der gezeigten waren schon beendet oder gehören jetzt woandershin</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} still run, {gone} gone</source>
        <extracomment>{n} still runs, {gone} gone</extracomment>
        <translation>
            <numerusform>{n} läuft weiter, {gone} weg</numerusform>
            <numerusform>{n} laufen weiter, {gone} weg</numerusform>
        </translation>
    </message>
    <message>
        <source>Release</source>
        <translation>Freigeben</translation>
    </message>
    <message>
        <source>Release…</source>
        <translation>Freigeben…</translation>
    </message>
    <message>
        <source>End…</source>
        <translation>Beenden…</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>Warum?</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>End it…</source>
        <translation>Beenden…</translation>
    </message>
    <message>
        <source>Clear…</source>
        <translation>Entfernen…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Stop waiting</source>
        <translation>Warten beenden</translation>
    </message>
    <message>
        <source>The running turn is lost.</source>
        <translation>Die laufende Antwort geht verloren.</translation>
    </message>
    <message>
        <source>What runs in the background is lost.</source>
        <translation>Was im Hintergrund läuft, geht verloren.</translation>
    </message>
    <message>
        <source>The subagent's work is lost.</source>
        <translation>Die Arbeit des Subagenten geht verloren.</translation>
    </message>
    <message>
        <source>Its question stays unanswered.</source>
        <translation>Die Frage bleibt unbeantwortet.</translation>
    </message>
    <message>
        <source>It will not wake up by itself any more.</source>
        <translation>Sie wacht nicht mehr von selbst auf.</translation>
    </message>
    <message>
        <source>Its view closes, and what is typed there is lost.</source>
        <translation>Die Ansicht schließt sich, und was dort getippt ist, geht verloren.</translation>
    </message>
    <message>
        <source>If a turn is running, it is lost.</source>
        <translation>Läuft gerade eine Antwort, geht sie verloren.</translation>
    </message>
    <message>
        <source>The other sessions of its backend end as well.</source>
        <translation>Auch die anderen Sitzungen des Backends enden.</translation>
    </message>
    <message>
        <source>The sessions that use it lose it.</source>
        <translation>Die Sitzungen, die es nutzen, verlieren es.</translation>
    </message>
    <message>
        <source>What it has not finished is lost.</source>
        <translation>Was nicht abgeschlossen ist, geht verloren.</translation>
    </message>
    <message>
        <source>It can be resumed.</source>
        <translation>Sie kann fortgesetzt werden.</translation>
    </message>
    <message>
        <source>Otherwise it comes back at once.</source>
        <translation>Andernfalls kommt es sofort wieder.</translation>
    </message>
    <message>
        <source>Its entry goes; the conversation stays and can be resumed.</source>
        <translation>Der Eintrag verschwindet; die Unterhaltung bleibt und kann fortgesetzt werden.</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Clear {name}?</source>
        <translation>{name} entfernen?</translation>
    </message>
    <message>
        <source>Release {name}?</source>
        <translation>{name} freigeben?</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>End the surplus of {name}?</source>
        <translation>Überzählige Backends von {name} beenden?</translation>
    </message>
    <message>
        <source>End it now</source>
        <translation>Jetzt beenden</translation>
    </message>
    <message>
        <source>End {name} now?</source>
        <translation>{name} jetzt beenden?</translation>
    </message>
    <message>
        <source>End {name}?</source>
        <translation>{name} beenden?</translation>
    </message>
    <message>
        <source>{sentence}.</source>
        <translation>{sentence}.</translation>
    </message>
    <message>
        <source>{sentence} {loss}</source>
        <translation>{sentence} {loss}</translation>
    </message>
    <message>
        <source>It did not end when asked. It is ended at once; what it is doing is lost.</source>
        <translation>Es endete nicht auf Bitte. Es wird sofort beendet; was es gerade tut, geht verloren.</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Journal</source>
        <translation>Journal</translation>
    </message>
    <message>
        <source>What you keep</source>
        <translation>Was du behältst</translation>
    </message>
    <message>
        <source>Who started whom</source>
        <translation>Wer wen gestartet hat</translation>
    </message>
    <message>
        <source>Incidents</source>
        <translation>Vorfälle</translation>
    </message>
    <message>
        <source>The window's place and columns</source>
        <translation>Platz und Spalten des Fensters</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Über</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>Details kopieren</translation>
    </message>
    <message>
        <source>For a report, without titles and names of yours</source>
        <translation>Für einen Bericht, ohne deine Titel und Namen</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versionen</translation>
    </message>
    <message>
        <source>Memory is measured as</source>
        <translation>Speicher wird gemessen als</translation>
    </message>
    <message>
        <source>What Agent Ring itself costs now</source>
        <translation>Was Agent Ring selbst gerade kostet</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Told apart, and not in the ring's total</source>
        <translation>Getrennt ausgewiesen, nicht in der Summe des Rings</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>100 % is one core</source>
        <translation>100 % ist ein Kern</translation>
    </message>
    <message>
        <source>Last look</source>
        <translation>Letzter Durchgang</translation>
    </message>
    <message>
        <source>CPU time to measure and judge everything once</source>
        <translation>CPU-Zeit, um alles einmal zu messen und zu beurteilen</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <source>Agent Ring is under the MIT licence</source>
        <translation>Agent Ring steht unter der MIT-Lizenz</translation>
    </message>
    <message>
        <source>It is built with Python (PSF), Qt and PySide6 (LGPL 3), SQLite (public domain), and others.</source>
        <translation>Gebaut mit Python (PSF), Qt und PySide6 (LGPL 3), SQLite (gemeinfrei) und anderen.</translation>
    </message>
    <message>
        <source>Reveal</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>Reveal {name} in its folder</source>
        <translation>{name} im Ordner anzeigen</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>Noch keine</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>{what}, {waited} of {wait}</source>
        <translation>{what}, {waited} von {wait}</translation>
    </message>
    <message>
        <source>Stop after this one</source>
        <translation>Danach anhalten</translation>
    </message>
    <message>
        <source>Open journal</source>
        <translation>Journal öffnen</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Releasing {title}</source>
        <translation>{title} wird freigegeben</translation>
    </message>
    <message>
        <source>Releasing {number} of {n}</source>
        <translation>Freigabe {number} von {n}</translation>
    </message>
    <message>
        <source>Each process is checked again just before</source>
        <translation>Jeder Prozess wird unmittelbar davor erneut geprüft</translation>
    </message>
    <message>
        <source>Released, the heap follows</source>
        <translation>Freigegeben, der Heap folgt</translation>
    </message>
    <message>
        <source>Releasing {number} of {n}: {title}</source>
        <translation>Freigabe {number} von {n}: {title}</translation>
    </message>
    <message>
        <source>Not released: {title}</source>
        <translation>Nicht freigegeben: {title}</translation>
    </message>
    <message>
        <source>{size} expected</source>
        <translation>{size} erwartet</translation>
    </message>
    <message>
        <source>That did not work</source>
        <translation>Das hat nicht geklappt</translation>
    </message>
    <message>
        <source>Mute for {time}</source>
        <translation>{time} stummschalten</translation>
    </message>
    <message>
        <source>Mute today</source>
        <translation>Heute stummschalten</translation>
    </message>
    <message>
        <source>Open: {title}</source>
        <translation>Öffnen: {title}</translation>
    </message>
    <message>
        <source>Put away: {title}</source>
        <translation>Ausblenden: {title}</translation>
    </message>
    <message>
        <source>Tell me again</source>
        <translation>Wieder melden</translation>
    </message>
    <message>
        <source>And {n} more</source>
        <translation>Und {n} weitere</translation>
    </message>
    <message>
        <source>Messages are muted until {time}</source>
        <translation>Meldungen sind bis {time} stummgeschaltet</translation>
    </message>
    <message>
        <source>midnight</source>
        <translation>Mitternacht</translation>
    </message>
    <message>
        <source>Agents hold {size}</source>
        <translation>Agenten belegen {size}</translation>
    </message>
    <message>
        <source>More than the {limit} that you set.</source>
        <translation>Mehr als die eingestellten {limit}.</translation>
    </message>
    <message>
        <source>Memory runs short</source>
        <translation>Speicher wird knapp</translation>
    </message>
    <message>
        <source>Memory is nearly full</source>
        <translation>Speicher ist fast voll</translation>
    </message>
    <message>
        <source>The heap of {host} fills up</source>
        <translation>Der Heap von {host} läuft voll</translation>
    </message>
    <message>
        <source>{size} of {limit}. Its host ends when it is full.</source>
        <translation>{size} von {limit}. Ist er voll, endet der Host.</translation>
    </message>
    <message numerus="yes">
        <source>{n} orphans appeared, {size}</source>
        <extracomment>{n} orphan appeared, {size}</extracomment>
        <translation>
            <numerusform>{n} verwaister Prozess aufgetaucht, {size}</numerusform>
            <numerusform>{n} verwaiste Prozesse aufgetaucht, {size}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} and others: {size} came back</source>
        <extracomment>{name}: {size} came back</extracomment>
        <translation>
            <numerusform>{name}: {size} zurückgewonnen</numerusform>
            <numerusform>{name} und andere: {size} zurückgewonnen</numerusform>
        </translation>
    </message>
    <message>
        <source>By the policy “{policy}”.</source>
        <translation>Durch die Regel „{policy}“.</translation>
    </message>
    <message>
        <source>{name} did not stay released</source>
        <translation>{name} blieb nicht freigegeben</translation>
    </message>
    <message>
        <source>{name} waits for you</source>
        <translation>{name} wartet auf Antwort</translation>
    </message>
    <message>
        <source>It is a session of {host}.</source>
        <translation>Eine Sitzung von {host}.</translation>
    </message>
    <message>
        <source>Agents hold nothing that could be released now.</source>
        <translation>Agenten belegen nichts, was jetzt freigegeben werden könnte.</translation>
    </message>
    <message>
        <source>{size} of agents can be released now.</source>
        <translation>{size} der Agenten können jetzt freigegeben werden.</translation>
    </message>
    <message numerus="yes">
        <source>{title}, and {n} more</source>
        <extracomment>{title}, and {n} more</extracomment>
        <translation>
            <numerusform>{title} und {n} weitere</numerusform>
            <numerusform>{title} und {n} weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>{why} Click to keep it.</source>
        <translation>{why} Klicken, um es zu behalten.</translation>
    </message>
    <message>
        <source>This desktop shows no tray, so Agent Ring lives in this window; closing it quits. On GNOME the AppIndicator extension brings the tray back.</source>
        <translation>Dieser Desktop zeigt keinen Infobereich, daher läuft Agent Ring in diesem Fenster; Schließen beendet es. Unter GNOME bringt die AppIndicator-Erweiterung ihn zurück.</translation>
    </message>
    <message>
        <source>Shared helpers</source>
        <translation>Geteilte Helfer</translation>
    </message>
    <message>
        <source>Orphans</source>
        <translation>Verwaist</translation>
    </message>
    <message>
        <source>Memory and CPU over time</source>
        <translation>Speicher und CPU im Verlauf</translation>
    </message>
    <message>
        <source>Memory over time</source>
        <translation>Speicher im Verlauf</translation>
    </message>
    <message>
        <source>{host}, its own processes</source>
        <translation>{host}, eigene Prozesse</translation>
    </message>
    <message>
        <source>Nothing was held or measured in this time</source>
        <translation>In dieser Zeit wurde nichts belegt oder gemessen</translation>
    </message>
    <message>
        <source>Heap and resident memory over time</source>
        <translation>Heap und residenter Speicher im Verlauf</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Sitzung</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Stack by</source>
        <translation>Gruppieren nach</translation>
    </message>
    <message>
        <source>Memory held</source>
        <translation>Belegter Speicher</translation>
    </message>
    <message>
        <source>Heap</source>
        <translation>Heap</translation>
    </message>
    <message>
        <source>Chart of</source>
        <translation>Diagramm von</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>Zurück zu jetzt</translation>
    </message>
    <message>
        <source>{metric}, only {host}</source>
        <translation>{metric}, nur {host}</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Show as chart</source>
        <translation>Als Diagramm zeigen</translation>
    </message>
    <message>
        <source>Show as table</source>
        <translation>Als Tabelle zeigen</translation>
    </message>
    <message>
        <source>15 min</source>
        <translation>15 min</translation>
    </message>
    <message>
        <source>1 h</source>
        <translation>1 h</translation>
    </message>
    <message>
        <source>6 h</source>
        <translation>6 h</translation>
    </message>
    <message>
        <source>24 h</source>
        <translation>24 h</translation>
    </message>
    <message>
        <source>7 d</source>
        <translation>7 d</translation>
    </message>
    <message>
        <source>30 d</source>
        <translation>30 d</translation>
    </message>
    <message>
        <source>{day} Jan</source>
        <translation>{day}. Jan.</translation>
    </message>
    <message>
        <source>{day} Feb</source>
        <translation>{day}. Feb.</translation>
    </message>
    <message>
        <source>{day} Mar</source>
        <translation>{day}. März</translation>
    </message>
    <message>
        <source>{day} Apr</source>
        <translation>{day}. Apr.</translation>
    </message>
    <message>
        <source>{day} May</source>
        <translation>{day}. Mai</translation>
    </message>
    <message>
        <source>{day} Jun</source>
        <translation>{day}. Juni</translation>
    </message>
    <message>
        <source>{day} Jul</source>
        <translation>{day}. Juli</translation>
    </message>
    <message>
        <source>{day} Aug</source>
        <translation>{day}. Aug.</translation>
    </message>
    <message>
        <source>{day} Sep</source>
        <translation>{day}. Sept.</translation>
    </message>
    <message>
        <source>{day} Oct</source>
        <translation>{day}. Okt.</translation>
    </message>
    <message>
        <source>{day} Nov</source>
        <translation>{day}. Nov.</translation>
    </message>
    <message>
        <source>{day} Dec</source>
        <translation>{day}. Dez.</translation>
    </message>
    <message>
        <source>Smaller sessions</source>
        <translation>Kleinere Sitzungen</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>Beschäftigt</translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation>Wartet auf Antwort</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Untätig</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Cannot tell</source>
        <translation>Unklar</translation>
    </message>
    <message>
        <source>{n} others</source>
        <translation>{n} weitere</translation>
    </message>
    <message>
        <source>Asleep {length}</source>
        <translation>Ruhezustand {length}</translation>
    </message>
    <message>
        <source>Paused {length}</source>
        <translation>Pausiert {length}</translation>
    </message>
    <message>
        <source>Not running {length}</source>
        <translation>Nicht gelaufen {length}</translation>
    </message>
    <message>
        <source>Asleep</source>
        <translation>Ruhezustand</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Memory ran short</source>
        <translation>Speicher wurde knapp</translation>
    </message>
    <message>
        <source>Memory was nearly full</source>
        <translation>Speicher war fast voll</translation>
    </message>
    <message>
        <source>{time}: {memory} in all</source>
        <translation>{time}: insgesamt {memory}</translation>
    </message>
    <message>
        <source>{note}, the axis ends at {top}</source>
        <translation>{note}, die Achse endet bei {top}</translation>
    </message>
    <message>
        <source>limit {size}</source>
        <translation>Limit {size}</translation>
    </message>
    <message>
        <source>{n} more</source>
        <translation>{n} weitere</translation>
    </message>
    <message>
        <source>Released</source>
        <translation>Freigegeben</translation>
    </message>
    <message>
        <source>Ended, {size} came back</source>
        <translation>Beendet, {size} zurückgewonnen</translation>
    </message>
    <message>
        <source>Released, {size} came back</source>
        <translation>Freigegeben, {size} zurückgewonnen</translation>
    </message>
    <message>
        <source>100 % is one core</source>
        <translation>100 % ist ein Kern</translation>
    </message>
    <message>
        <source>Resident memory</source>
        <translation>Residenter Speicher</translation>
    </message>
    <message>
        <source>follows late, is never added to it</source>
        <translation>folgt verzögert, wird nie dazugezählt</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>In all</source>
        <translation>Insgesamt</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>{since} to {until}</source>
        <translation>{since} bis {until}</translation>
    </message>
    <message>
        <source>Memory and CPU over time, as a table</source>
        <translation>Speicher und CPU im Verlauf, als Tabelle</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Allow…</source>
        <translation>Erlauben…</translation>
    </message>
    <message>
        <source>{host} needs you to allow that. What it means is shown first.</source>
        <translation>{host} braucht deine Erlaubnis. Vorher siehst du, was sie bedeutet.</translation>
    </message>
    <message numerus="yes">
        <source>There are {n} more offers.</source>
        <extracomment>There is {n} more offer.</extracomment>
        <translation>
            <numerusform>Es gibt {n} weiteres Angebot.</numerusform>
            <numerusform>Es gibt {n} weitere Angebote.</numerusform>
        </translation>
    </message>
    <message>
        <source>Allow with {host}: {what}</source>
        <translation>Für {host} erlauben: {what}</translation>
    </message>
    <message>
        <source>CPU and file dates are not used as proof.</source>
        <translation>CPU und Dateidaten gelten nicht als Beweis.</translation>
    </message>
    <message>
        <source>CPU of {cpu} and file dates are not used as proof.</source>
        <translation>CPU von {cpu} und Dateidaten gelten nicht als Beweis.</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Every sample</source>
        <translation>Jeder Messwert</translation>
    </message>
    <message>
        <source>1 min</source>
        <translation>1 min</translation>
    </message>
    <message>
        <source>Export CSV</source>
        <translation>CSV exportieren</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>From, to</source>
        <translation>Von, bis</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Zeitraum</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>One row for</source>
        <translation>Eine Zeile je</translation>
    </message>
    <message>
        <source>All, with totals</source>
        <translation>Alle, mit Summen</translation>
    </message>
    <message>
        <source>Only these</source>
        <translation>Nur diese</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>Sitzungen</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Export measurements as CSV</source>
        <translation>Messwerte als CSV exportieren</translation>
    </message>
    <message>
        <source>One row per session and time, as every spreadsheet reads it.</source>
        <translation>Eine Zeile je Sitzung und Zeitpunkt, wie sie jede Tabellenkalkulation liest.</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>No session was measured in this range.</source>
        <translation>In diesem Zeitraum wurde keine Sitzung gemessen.</translation>
    </message>
    <message>
        <source>The range ends before it begins.</source>
        <translation>Der Zeitraum endet, bevor er beginnt.</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>Wird gezählt…</translation>
    </message>
    <message>
        <source>Choose at least one session.</source>
        <translation>Wähle mindestens eine Sitzung.</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Wird geschrieben…</translation>
    </message>
    <message>
        <source>{done} of {all} rows</source>
        <translation>{done} von {all} Zeilen</translation>
    </message>
    <message numerus="yes">
        <source>{count} rows written, {size}</source>
        <extracomment>{count} row written, {size}</extracomment>
        <translation>
            <numerusform>{count} Zeile geschrieben, {size}</numerusform>
            <numerusform>{count} Zeilen geschrieben, {size}</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped. No file was written.</source>
        <translation>Angehalten. Es wurde keine Datei geschrieben.</translation>
    </message>
    <message>
        <source>{path}: {fault}. No file was written; choose another place.</source>
        <translation>{path}: {fault}. Es wurde keine Datei geschrieben; wähle einen anderen Ort.</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird angehalten…</translation>
    </message>
    <message>
        <source>A time is written as 2026-11-30 14:05.</source>
        <translation>Eine Zeit wird als 2026-11-30 14:05 geschrieben.</translation>
    </message>
    <message>
        <source>Nothing was measured in this range.</source>
        <translation>In diesem Zeitraum wurde nichts gemessen.</translation>
    </message>
    <message>
        <source>One row for {time}</source>
        <translation>Eine Zeile je {time}</translation>
    </message>
    <message>
        <source>{step}: about {rows} rows, {size}.</source>
        <translation>{step}: etwa {rows} Zeilen, {size}.</translation>
    </message>
    <message>
        <source>{step}: about {rows} rows, {size}. That fine it is kept for {kept}; Auto has all of the range.</source>
        <translation>{step}: etwa {rows} Zeilen, {size}. So fein bleibt es {kept} erhalten; „Auto“ umfasst den ganzen Zeitraum.</translation>
    </message>
    <message>
        <source>good</source>
        <translation>gut</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>nicht da</translation>
    </message>
    <message>
        <source>trouble</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>What is looked for</source>
        <translation>Wonach gesucht wird</translation>
    </message>
    <message>
        <source>Shows more once you allow it, see Settings</source>
        <translation>Mehr, wenn du es erlaubst: Einstellungen</translation>
    </message>
    <message numerus="yes">
        <source>{n} sessions</source>
        <extracomment>{n} session</extracomment>
        <translation>
            <numerusform>{n} Sitzung</numerusform>
            <numerusform>{n} Sitzungen</numerusform>
        </translation>
    </message>
    <message>
        <source>No session</source>
        <translation>Keine Sitzung</translation>
    </message>
    <message>
        <source>Releases idle sessions itself when asked</source>
        <translation>Gibt Untätige auf Anfrage selbst frei</translation>
    </message>
    <message>
        <source>Idle sessions are released by signal, and resumed there</source>
        <translation>Freigabe per Signal, dort fortsetzbar</translation>
    </message>
    <message>
        <source>What it holds is shown</source>
        <translation>Der Speicherbedarf wird angezeigt</translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation>Bei der Anmeldung starten</translation>
    </message>
    <message>
        <source>Tell me when a session waits for me</source>
        <translation>Melden, wenn eine Sitzung auf Antwort wartet</translation>
    </message>
    <message>
        <source>Automatic release</source>
        <translation>Automatisch freigeben</translation>
    </message>
    <message>
        <source>Off until you choose a policy</source>
        <translation>Aus, bis du eine Regel wählst</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <source>Show sessions</source>
        <translation>Sitzungen zeigen</translation>
    </message>
    <message>
        <source>Solid</source>
        <translation>Gefüllt</translation>
    </message>
    <message>
        <source>in use, or kept</source>
        <translation>in Gebrauch oder behalten</translation>
    </message>
    <message>
        <source>Outlined</source>
        <translation>Umrandet</translation>
    </message>
    <message>
        <source>can be released now</source>
        <translation>kann jetzt freigegeben werden</translation>
    </message>
    <message>
        <source>Thin line</source>
        <translation>Dünne Linie</translation>
    </message>
    <message>
        <source>the rest of this computer</source>
        <translation>der Rest dieses Computers</translation>
    </message>
    <message>
        <source>Agent Ring is running</source>
        <translation>Agent Ring läuft</translation>
    </message>
    <message>
        <source>The ring in your menu bar shows what AI agents hold of this computer's memory. Click it to see them.</source>
        <translation>Der Ring in der Menüleiste zeigt, wie viel Speicher KI-Agenten auf diesem Computer belegen. Ein Klick zeigt sie.</translation>
    </message>
    <message>
        <source>The ring in your tray shows what AI agents hold of this computer's memory. Click it to see them.</source>
        <translation>Der Ring im Infobereich zeigt, wie viel Speicher KI-Agenten auf diesem Computer belegen. Ein Klick zeigt sie.</translation>
    </message>
    <message>
        <source>Found on this computer</source>
        <translation>Auf diesem Computer gefunden</translation>
    </message>
    <message>
        <source>Reads process tables and session files, never what you wrote.</source>
        <translation>Liest Prozesslisten und Sitzungsdateien, nie deine Texte.</translation>
    </message>
    <message>
        <source>Sends nothing, and needs no account.</source>
        <translation>Sendet nichts und braucht kein Konto.</translation>
    </message>
    <message>
        <source>Looking at what runs. That takes a second or two.</source>
        <translation>Sieht nach, was läuft. Das dauert ein, zwei Sekunden.</translation>
    </message>
    <message>
        <source>And {names}</source>
        <translation>Und {names}</translation>
    </message>
    <message>
        <source>Start at login: {error}</source>
        <translation>Start bei der Anmeldung: {error}</translation>
    </message>
    <message>
        <source>No agent runs now. Start one: it appears here and in the ring within seconds.</source>
        <translation>Gerade läuft kein Agent. Starte einen: Er erscheint hier und im Ring innerhalb von Sekunden.</translation>
    </message>
    <message>
        <source>{nothing} Looked for are {names} and {n} more.</source>
        <translation>{nothing} Gesucht wird nach {names} und {n} weiteren.</translation>
    </message>
    <message>
        <source>{nothing} Looked for are {names}.</source>
        <translation>{nothing} Gesucht wird nach {names}.</translation>
    </message>
    <message>
        <source>Agent Ring, nothing measured yet</source>
        <translation>Agent Ring, noch nichts gemessen</translation>
    </message>
    <message>
        <source>Agent Ring, paused</source>
        <translation>Agent Ring, pausiert</translation>
    </message>
    <message>
        <source>{size} in use</source>
        <translation>{size} in Gebrauch</translation>
    </message>
    <message>
        <source>{size} held by agents</source>
        <translation>{size} von Agenten belegt</translation>
    </message>
    <message>
        <source>{size} held</source>
        <translation>{size} belegt</translation>
    </message>
    <message>
        <source>{size} can be released</source>
        <translation>{size} freigebbar</translation>
    </message>
    <message numerus="yes">
        <source>{n} sessions wait for you</source>
        <extracomment>{n} session waits for you</extracomment>
        <translation>
            <numerusform>{n} Sitzung wartet auf Antwort</numerusform>
            <numerusform>{n} Sitzungen warten auf Antwort</numerusform>
        </translation>
    </message>
    <message>
        <source>Heap of {host}</source>
        <translation>Heap von {host}</translation>
    </message>
    <message>
        <source>The heap of {host} is nearly full</source>
        <translation>Der Heap von {host} ist fast voll</translation>
    </message>
    <message numerus="yes">
        <source>Release {n} sessions, {size} heap…</source>
        <extracomment>Release {n} session, {size} heap…</extracomment>
        <translation>
            <numerusform>{n} freigeben, {size} Heap…</numerusform>
            <numerusform>{n} freigeben, {size} Heap…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Release {n} sessions of {host}, about {size}</source>
        <extracomment>Release {n} session of {host}, about {size}</extracomment>
        <translation>
            <numerusform>{n} Sitzung von {host} freigeben, etwa {size}</numerusform>
            <numerusform>{n} Sitzungen von {host} freigeben, etwa {size}</numerusform>
        </translation>
    </message>
    <message>
        <source>Install…</source>
        <translation>Installieren…</translation>
    </message>
    <message numerus="yes">
        <source>{n} sessions in the heap of {host}</source>
        <extracomment>{n} session in the heap of {host}</extracomment>
        <translation>
            <numerusform>{n} Sitzung im Heap von {host}</numerusform>
            <numerusform>{n} Sitzungen im Heap von {host}</numerusform>
        </translation>
    </message>
    <message>
        <source>How full it is and what each holds tells only a plugin in it. Releasing one needs it too.</source>
        <translation>Wie voll er ist und was jede belegt, sagt nur ein Plugin. Auch die Freigabe braucht es.</translation>
    </message>
    <message>
        <source>Install the plugin for {host}</source>
        <translation>Plugin für {host} installieren</translation>
    </message>
    <message numerus="yes">
        <source>{n} more heaps, in the window</source>
        <extracomment>{n} more heap, in the window</extracomment>
        <translation>
            <numerusform>{n} weiterer Heap, im Fenster</numerusform>
            <numerusform>{n} weitere Heaps, im Fenster</numerusform>
        </translation>
    </message>
    <message>
        <source>{host}: {what}</source>
        <translation>{host}: {what}</translation>
    </message>
    <message>
        <source>{size} was expected</source>
        <translation>{size} waren erwartet</translation>
    </message>
    <message>
        <source>collected after {time}</source>
        <translation>gesammelt nach {time}</translation>
    </message>
    <message>
        <source>Its resident memory follows late, when the engine hands pages back.</source>
        <translation>Der residente Speicher folgt später, wenn die Engine Seiten zurückgibt.</translation>
    </message>
    <message>
        <source>{memory} + {heap} heap</source>
        <translation>{memory} + {heap} Heap</translation>
    </message>
    <message>
        <source>{heap} heap</source>
        <translation>{heap} Heap</translation>
    </message>
    <message>
        <source>{size} of RSS</source>
        <translation>{size} RSS</translation>
    </message>
    <message>
        <source>at most {size} of heap</source>
        <translation>höchstens {size} Heap</translation>
    </message>
    <message>
        <source>heap of {host} {use}</source>
        <translation>Heap von {host} {use}</translation>
    </message>
    <message>
        <source>full in {time}</source>
        <translation>voll in {time}</translation>
    </message>
    <message>
        <source>{size} of heap</source>
        <translation>{size} Heap</translation>
    </message>
    <message>
        <source>{memory} and {heap} of heap</source>
        <translation>{memory} und {heap} Heap</translation>
    </message>
    <message>
        <source>{memory} and {heap} of heap came back</source>
        <translation>{memory} und {heap} Heap zurückgewonnen</translation>
    </message>
    <message>
        <source>{size} of heap came back</source>
        <translation>{size} Heap zurückgewonnen</translation>
    </message>
    <message>
        <source>{size} came back</source>
        <translation>{size} zurückgewonnen</translation>
    </message>
    <message>
        <source>Nothing came back</source>
        <translation>Nichts zurückgewonnen</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartend</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>Unbekannt</translation>
    </message>
    <message numerus="yes">
        <source>{n} sessions live</source>
        <extracomment>{n} session live</extracomment>
        <translation>
            <numerusform>{n} Sitzung aktiv</numerusform>
            <numerusform>{n} Sitzungen aktiv</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} turns lost</source>
        <extracomment>{n} turn lost</extracomment>
        <translation>
            <numerusform>{n} Antwort verloren</numerusform>
            <numerusform>{n} Antworten verloren</numerusform>
        </translation>
    </message>
    <message>
        <source>noticed within {time}</source>
        <translation>innerhalb von {time} bemerkt</translation>
    </message>
    <message>
        <source>heap {before} → {after}</source>
        <translation>Heap {before} → {after}</translation>
    </message>
    <message>
        <source>resident memory {before} → {after}</source>
        <translation>residenter Speicher {before} → {after}</translation>
    </message>
    <message>
        <source>free on this computer {before} → {after}</source>
        <translation>frei auf diesem Computer {before} → {after}</translation>
    </message>
    <message>
        <source>{courses} in the last {time}</source>
        <translation>{courses} in den letzten {time}</translation>
    </message>
    <message>
        <source>Export: {what}</source>
        <translation>Exportieren: {what}</translation>
    </message>
    <message>
        <source>One file to hand on, without titles, folders and names</source>
        <translation>Eine Datei zum Weitergeben, ohne Titel, Ordner und Namen</translation>
    </message>
    <message>
        <source>A turn was open</source>
        <translation>Eine Antwort lief</translation>
    </message>
    <message>
        <source>Its turn was lost</source>
        <translation>Die Antwort ging verloren</translation>
    </message>
    <message>
        <source>{size} heap</source>
        <translation>{size} Heap</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>Refused: {names}</source>
        <translation>Abgelehnt: {names}</translation>
    </message>
    <message>
        <source>Ended {name}</source>
        <translation>{name} beendet</translation>
    </message>
    <message>
        <source>Released {name}</source>
        <translation>{name} freigegeben</translation>
    </message>
    <message numerus="yes">
        <source>Ended {n} orphans</source>
        <extracomment>Ended {n} orphan</extracomment>
        <translation>
            <numerusform>{n} verwaisten Prozess beendet</numerusform>
            <numerusform>{n} verwaiste Prozesse beendet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Released {n} sessions</source>
        <extracomment>Released {n} session</extracomment>
        <translation>
            <numerusform>{n} Sitzung freigegeben</numerusform>
            <numerusform>{n} Sitzungen freigegeben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ended {n} orphans</source>
        <extracomment>ended {n} orphan</extracomment>
        <translation>
            <numerusform>{n} verwaisten Prozess beendet</numerusform>
            <numerusform>{n} verwaiste Prozesse beendet</numerusform>
        </translation>
    </message>
    <message>
        <source>{first}, {then}</source>
        <translation>{first}, {then}</translation>
    </message>
    <message numerus="yes">
        <source>{n} processes survived</source>
        <extracomment>{n} process survived</extracomment>
        <translation>
            <numerusform>{n} Prozess lief weiter</numerusform>
            <numerusform>{n} Prozesse liefen weiter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} run again</source>
        <extracomment>{n} runs again</extracomment>
        <translation>
            <numerusform>{n} läuft wieder</numerusform>
            <numerusform>{n} laufen wieder</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} are refused</source>
        <extracomment>{n} refused</extracomment>
        <translation>
            <numerusform>{n} abgelehnt</numerusform>
            <numerusform>{n} abgelehnt</numerusform>
        </translation>
    </message>
    <message>
        <source>{words}. {notes}.</source>
        <translation>{words}. {notes}.</translation>
    </message>
    <message>
        <source>{name} and {n} more</source>
        <translation>{name} und {n} weitere</translation>
    </message>
    <message>
        <source>Not as it should be</source>
        <translation>Nicht wie erwartet</translation>
    </message>
    <message>
        <source>Nothing done</source>
        <translation>Nichts getan</translation>
    </message>
    <message>
        <source>of {size} expected</source>
        <translation>{size} erwartet</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy {command}</source>
        <translation>{command} kopieren</translation>
    </message>
    <message>
        <source>Measured as {metric}, by resident memory (RSS) {rss}. Free on this computer: {free}.</source>
        <translation>Gemessen als {metric}, nach residentem Speicher (RSS) {rss}. Frei auf diesem Computer: {free}.</translation>
    </message>
    <message>
        <source>Measured as {metric}. Free on this computer: {free}.</source>
        <translation>Gemessen als {metric}. Frei auf diesem Computer: {free}.</translation>
    </message>
    <message>
        <source>Still there</source>
        <translation>Noch da</translation>
    </message>
    <message>
        <source>Nothing to resume</source>
        <translation>Nichts fortzusetzen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Export the journal as it is shown</source>
        <translation>Journal wie angezeigt exportieren</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>Exportiert</translation>
    </message>
    <message>
        <source>The incident could not be exported</source>
        <translation>Der Vorfall konnte nicht exportiert werden</translation>
    </message>
    <message>
        <source>The journal could not be exported</source>
        <translation>Das Journal konnte nicht exportiert werden</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Every action is written here with what it gave back and how to resume.</source>
        <translation>Hier steht jede Aktion, was sie zurückbrachte und wie es weitergeht.</translation>
    </message>
    <message>
        <source>Nothing was released or ended yet</source>
        <translation>Noch wurde nichts freigegeben oder beendet</translation>
    </message>
    <message>
        <source>Nothing was released yet</source>
        <translation>Noch wurde nichts freigegeben</translation>
    </message>
    <message>
        <source>Nothing was ended yet</source>
        <translation>Noch wurde nichts beendet</translation>
    </message>
    <message>
        <source>Nothing was refused</source>
        <translation>Nichts wurde abgelehnt</translation>
    </message>
    <message>
        <source>What is found busy, changed or waiting just before it goes is left alone, and written here.</source>
        <translation>Was kurz davor beschäftigt, verändert oder wartend ist, wird in Ruhe gelassen und hier notiert.</translation>
    </message>
    <message>
        <source>No incident is kept</source>
        <translation>Kein Vorfall verzeichnet</translation>
    </message>
    <message>
        <source>When a host ends unasked, fills its heap or loses a turn while Agent Ring runs, it is written here.</source>
        <translation>Endet ein Host ungefragt, läuft sein Heap voll oder geht eine Antwort verloren, während Agent Ring läuft, steht es hier.</translation>
    </message>
    <message>
        <source>{size} and {heap} of heap</source>
        <translation>{size} und {heap} Heap</translation>
    </message>
    <message numerus="yes">
        <source>{n} actions, {size} came back</source>
        <extracomment>{n} action, {size} came back</extracomment>
        <translation>
            <numerusform>{n} Aktion, {size} zurückgewonnen</numerusform>
            <numerusform>{n} Aktionen, {size} zurückgewonnen</numerusform>
        </translation>
    </message>
    <message>
        <source>no action</source>
        <translation>keine Aktion</translation>
    </message>
    <message numerus="yes">
        <source>{n} incidents</source>
        <extracomment>{n} incident</extracomment>
        <translation>
            <numerusform>{n} Vorfall</numerusform>
            <numerusform>{n} Vorfälle</numerusform>
        </translation>
    </message>
    <message>
        <source>{incidents}, {actions}</source>
        <translation>{incidents}, {actions}</translation>
    </message>
    <message>
        <source>Keep this one</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Do not keep</source>
        <translation>Nicht mehr behalten</translation>
    </message>
    <message>
        <source>Not now, for today</source>
        <translation>Heute nicht</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>kept for today</source>
        <translation>heute behalten</translation>
    </message>
    <message>
        <source>kept until {time}</source>
        <translation>behalten bis {time}</translation>
    </message>
    <message>
        <source>Not now, for {time}</source>
        <translation>Nicht jetzt, für {time}</translation>
    </message>
    <message>
        <source>Resumed, runs for {length}</source>
        <translation>Fortgesetzt, läuft seit {length}</translation>
    </message>
    <message>
        <source>Runs for {length}</source>
        <translation>Läuft seit {length}</translation>
    </message>
    <message>
        <source>Resumed, ran for {length}</source>
        <translation>Fortgesetzt, lief {length}</translation>
    </message>
    <message>
        <source>Ran for {length}</source>
        <translation>Lief {length}</translation>
    </message>
    <message numerus="yes">
        <source>Process {pid} and {n} more</source>
        <extracomment>Process {pid} and {n} more</extracomment>
        <translation>
            <numerusform>Prozess {pid} und {n} weiterer</numerusform>
            <numerusform>Prozess {pid} und {n} weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Process {pid}</source>
        <translation>Prozess {pid}</translation>
    </message>
    <message>
        <source>Was gone already</source>
        <translation>War bereits weg</translation>
    </message>
    <message>
        <source>Something of it stayed</source>
        <translation>Etwas davon blieb</translation>
    </message>
    <message>
        <source>Not released</source>
        <translation>Nicht freigegeben</translation>
    </message>
    <message numerus="yes">
        <source>{n} runs</source>
        <extracomment>{n} run</extracomment>
        <translation>
            <numerusform>{n} Lauf</numerusform>
            <numerusform>{n} Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>Line of time: {runs} since {since}</source>
        <translation>Zeitleiste: {runs} seit {since}</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>What happened to it</source>
        <translation>Was damit geschah</translation>
    </message>
    <message>
        <source>at most {size} at a time</source>
        <translation>höchstens {size} gleichzeitig</translation>
    </message>
    <message numerus="yes">
        <source>{n} earlier events</source>
        <extracomment>{n} earlier event</extracomment>
        <translation>
            <numerusform>{n} früheres Ereignis</numerusform>
            <numerusform>{n} frühere Ereignisse</numerusform>
        </translation>
    </message>
    <message>
        <source>{verb}: {name}</source>
        <translation>{verb}: {name}</translation>
    </message>
    <message>
        <source>Why now</source>
        <translation>Warum jetzt</translation>
    </message>
    <message>
        <source>Next to go</source>
        <translation>Als Nächstes</translation>
    </message>
    <message>
        <source>Release next</source>
        <translation>Nächste freigeben</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Gives back</source>
        <translation>Bringt zurück</translation>
    </message>
    <message>
        <source>Orphans, ended by signal</source>
        <translation>Verwaiste Prozesse, per Signal beendet</translation>
    </message>
    <message>
        <source>Not offered</source>
        <translation>Nicht angeboten</translation>
    </message>
    <message>
        <source>End next…</source>
        <translation>Nächsten beenden…</translation>
    </message>
    <message>
        <source>{verb}: {name}, {size}</source>
        <translation>{verb}: {name}, {size}</translation>
    </message>
    <message>
        <source>Policies…</source>
        <translation>Regeln…</translation>
    </message>
    <message>
        <source>Automatic release is off</source>
        <translation>Automatische Freigabe ist aus</translation>
    </message>
    <message>
        <source>This is the order it would follow. Nothing goes until you say so.</source>
        <translation>In dieser Reihenfolge ginge es. Nichts geschieht ohne dich.</translation>
    </message>
    <message numerus="yes">
        <source>{n} policies on: {names}</source>
        <extracomment>{n} policy on: {names}</extracomment>
        <translation>
            <numerusform>{n} Regel aktiv: {names}</numerusform>
            <numerusform>{n} Regeln aktiv: {names}</numerusform>
        </translation>
    </message>
    <message>
        <source>This is the order that is followed. You are told {time} before, and can keep it.</source>
        <translation>In dieser Reihenfolge geht es. {time} vorher wirst du gefragt und kannst sie behalten.</translation>
    </message>
    <message>
        <source>Nothing can be released now</source>
        <translation>Jetzt kann nichts freigegeben werden</translation>
    </message>
    <message>
        <source>What works, waits for you or cannot be told stays.</source>
        <translation>Was arbeitet, auf dich wartet oder unklar ist, bleibt.</translation>
    </message>
    <message>
        <source>No agent session is running</source>
        <translation>Keine Agentensitzung läuft</translation>
    </message>
    <message>
        <source>As soon as one rests for a while, it stands here with what it would give back.</source>
        <translation>Sobald eine eine Weile ruht, steht sie hier mit dem, was sie zurückbrächte.</translation>
    </message>
    <message>
        <source>{title}, {size}</source>
        <translation>{title}, {size}</translation>
    </message>
    <message>
        <source>Now: {what}</source>
        <translation>Jetzt: {what}</translation>
    </message>
    <message>
        <source>In {time}: {what}</source>
        <translation>In {time}: {what}</translation>
    </message>
    <message>
        <source>{why}. By the policy “{policy}”.</source>
        <translation>{why}. Durch die Regel „{policy}“.</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Release now</source>
        <translation>Jetzt freigeben</translation>
    </message>
    <message>
        <source>End now</source>
        <translation>Jetzt beenden</translation>
    </message>
    <message>
        <source>Keep {title}</source>
        <translation>{title} behalten</translation>
    </message>
    <message numerus="yes">
        <source>And {n} more, each is announced in its turn</source>
        <extracomment>And {n} more, announced in its turn</extracomment>
        <translation>
            <numerusform>Und {n} weitere, zu ihrer Zeit angekündigt</numerusform>
            <numerusform>Und {n} weitere, jede zu ihrer Zeit angekündigt</numerusform>
        </translation>
    </message>
    <message>
        <source>physical footprint</source>
        <translation>physischer Speicherbedarf</translation>
    </message>
    <message>
        <source>PSS</source>
        <translation>PSS</translation>
    </message>
    <message>
        <source>private working set</source>
        <translation>privater Arbeitssatz</translation>
    </message>
    <message>
        <source>RSS</source>
        <translation>RSS</translation>
    </message>
    <message>
        <source>{held} of {total}</source>
        <translation>{held} von {total}</translation>
    </message>
    <message numerus="yes">
        <source>{n} processes</source>
        <extracomment>{n} process</extracomment>
        <translation>
            <numerusform>{n} Prozess</numerusform>
            <numerusform>{n} Prozesse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} orphans</source>
        <extracomment>{n} orphan</extracomment>
        <translation>
            <numerusform>{n} verwaister Prozess</numerusform>
            <numerusform>{n} verwaiste Prozesse</numerusform>
        </translation>
    </message>
    <message>
        <source>Above is what they held in the last 24 h.</source>
        <translation>Oben steht, was sie in den letzten 24 h belegten.</translation>
    </message>
    <message>
        <source>Above is what they held in the last 7 d.</source>
        <translation>Oben steht, was sie in den letzten 7 d belegten.</translation>
    </message>
    <message>
        <source>Filter by title, host, folder or pid</source>
        <translation>Nach Titel, Host, Ordner oder PID filtern</translation>
    </message>
    <message>
        <source>Filter sessions by title, host, folder or pid</source>
        <translation>Sitzungen nach Titel, Host, Ordner oder PID filtern</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Time range</source>
        <translation>Zeitraum</translation>
    </message>
    <message>
        <source>Export CSV…</source>
        <translation>CSV exportieren…</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>The first figures are here in about {every}.</source>
        <translation>Die ersten Werte sind in etwa {every} da.</translation>
    </message>
    <message>
        <source>{mend} And {n} more.</source>
        <translation>{mend} Und {n} weitere.</translation>
    </message>
    <message>
        <source>Start one in {hosts} and {n} more. It shows up here within {every}.</source>
        <translation>Starte eine in {hosts} und {n} weiteren. Sie erscheint hier innerhalb von {every}.</translation>
    </message>
    <message>
        <source>Start one in {hosts} or another host. It shows up here within {every}.</source>
        <translation>Starte eine in {hosts} oder einem anderen Host. Sie erscheint hier innerhalb von {every}.</translation>
    </message>
    <message>
        <source>Start one in an agent host. It shows up here within {every}.</source>
        <translation>Starte eine in einem Agenten-Host. Sie erscheint hier innerhalb von {every}.</translation>
    </message>
    <message>
        <source>Release {size}…</source>
        <translation>{size} freigeben…</translation>
    </message>
    <message>
        <source>Nothing to release</source>
        <translation>Nichts freizugeben</translation>
    </message>
    <message>
        <source>Command: {command}</source>
        <translation>Befehl: {command}</translation>
    </message>
    <message>
        <source>Policies</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>New policy…</source>
        <translation>Neue Regel…</translation>
    </message>
    <message>
        <source>Yours</source>
        <translation>Deine</translation>
    </message>
    <message>
        <source>Suggested</source>
        <translation>Vorschläge</translation>
    </message>
    <message>
        <source>Nothing is released by itself unless you switch it on</source>
        <translation>Ohne dein Zutun wird nichts von selbst freigegeben</translation>
    </message>
    <message>
        <source>A policy takes only what could be released without a question, tells you before, and writes a receipt. What is busy, waits for you, is kept or cannot be told stays.</source>
        <translation>Eine Regel nimmt nur, was ohne Rückfrage freigegeben werden könnte, kündigt es an und schreibt einen Beleg. Was beschäftigt ist, auf dich wartet, behalten wird oder unklar ist, bleibt.</translation>
    </message>
    <message>
        <source>The policies could not be kept</source>
        <translation>Die Regeln konnten nicht gespeichert werden</translation>
    </message>
    <message>
        <source>Its figures and exceptions are forgotten. What it has released can still be resumed from the journal.</source>
        <translation>Werte und Ausnahmen werden vergessen. Was sie freigab, kann weiterhin aus dem Journal fortgesetzt werden.</translation>
    </message>
    <message>
        <source>Delete the policy “{name}”?</source>
        <translation>Regel „{name}“ löschen?</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>At most {n} an hour</source>
        <translation>Höchstens {n} je Stunde</translation>
    </message>
    <message>
        <source>{time} notice before each</source>
        <translation>je {time} vorher angekündigt</translation>
    </message>
    <message>
        <source>not {hours}</source>
        <translation>nicht {hours}</translation>
    </message>
    <message>
        <source>only {what}</source>
        <translation>nur {what}</translation>
    </message>
    <message>
        <source>never {what}</source>
        <translation>nie {what}</translation>
    </message>
    <message>
        <source>ends by SIGKILL what does not end when asked</source>
        <translation>beendet mit SIGKILL, was auf Bitte nicht endet</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten…</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>It switched itself off: {why}</source>
        <translation>Sie hat sich selbst abgeschaltet: {why}</translation>
    </message>
    <message>
        <source>Edit {name}</source>
        <translation>{name} bearbeiten</translation>
    </message>
    <message>
        <source>{n} would go now</source>
        <translation>Jetzt: {n}</translation>
    </message>
    <message>
        <source>Nothing now</source>
        <translation>Jetzt nichts</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>Hide details of {name}</source>
        <translation>Details von {name} ausblenden</translation>
    </message>
    <message>
        <source>Show details of {name}</source>
        <translation>Details von {name} zeigen</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Delete {name}</source>
        <translation>{name} löschen</translation>
    </message>
    <message>
        <source>What it would do now</source>
        <translation>Was sie jetzt täte</translation>
    </message>
    <message>
        <source>Is looked at.</source>
        <translation>Wird ermittelt.</translation>
    </message>
    <message>
        <source>These stay</source>
        <translation>Diese bleiben</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Sessions that are idle for long</source>
        <translation>Lange untätige Sitzungen</translation>
    </message>
    <message>
        <source>Too many idle sessions of a host</source>
        <translation>Zu viele untätige Sitzungen eines Hosts</translation>
    </message>
    <message>
        <source>Agents together hold too much</source>
        <translation>Agenten belegen zusammen zu viel</translation>
    </message>
    <message>
        <source>The computer is short of memory</source>
        <translation>Der Computer hat wenig Speicher</translation>
    </message>
    <message>
        <source>A host's heap fills up</source>
        <translation>Der Heap eines Hosts läuft voll</translation>
    </message>
    <message>
        <source>Helpers whose session is gone</source>
        <translation>Helfer, deren Sitzung weg ist</translation>
    </message>
    <message>
        <source>Surplus backends of idle sessions</source>
        <translation>Überzählige Backends untätiger Sitzungen</translation>
    </message>
    <message>
        <source>Kind of exception</source>
        <translation>Art der Ausnahme</translation>
    </message>
    <message>
        <source>Exception</source>
        <translation>Ausnahme</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>An exception is empty. Name what it holds for, or remove it.</source>
        <translation>Eine Ausnahme ist leer. Nenne, wofür sie gilt, oder entferne sie.</translation>
    </message>
    <message>
        <source>~/work</source>
        <translation>~/arbeit</translation>
    </message>
    <message>
        <source>its id</source>
        <translation>ID der Sitzung</translation>
    </message>
    <message>
        <source>its name</source>
        <translation>Name des Hosts</translation>
    </message>
    <message>
        <source>a program's name</source>
        <translation>Name eines Programms</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add to: {list}</source>
        <translation>Hinzufügen zu: {list}</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Only while memory is short</source>
        <translation>Nur bei knappem Speicher</translation>
    </message>
    <message>
        <source>At most in an hour</source>
        <translation>Höchstens je Stunde</translation>
    </message>
    <message>
        <source>Notice before</source>
        <translation>Ankündigung vorher</translation>
    </message>
    <message>
        <source>Not where somebody typed within</source>
        <translation>Nicht, wenn dort getippt wurde in den letzten</translation>
    </message>
    <message>
        <source>Quiet hours</source>
        <translation>Ruhezeiten</translation>
    </message>
    <message>
        <source>End what does not end when asked</source>
        <translation>Beenden, was auf Bitte nicht endet</translation>
    </message>
    <message>
        <source>Never these</source>
        <translation>Nie diese</translation>
    </message>
    <message>
        <source>Whatever else holds, these stay</source>
        <translation>Was auch sonst gilt, diese bleiben</translation>
    </message>
    <message>
        <source>Where any are named, nothing else goes</source>
        <translation>Sind welche genannt, geht nichts anderes</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Sichern</translation>
    </message>
    <message>
        <source>Actions of this policy in any 60 minutes</source>
        <translation>Aktionen dieser Regel in je 60 Minuten</translation>
    </message>
    <message>
        <source>So that you can keep it</source>
        <translation>Damit du sie behalten kannst</translation>
    </message>
    <message>
        <source>In the session's own terminal</source>
        <translation>Im Terminal der Sitzung selbst</translation>
    </message>
    <message>
        <source>Nothing is done then; several with commas</source>
        <translation>Dann geschieht nichts; mehrere mit Komma</translation>
    </message>
    <message>
        <source>By SIGKILL, as the last step. What it is doing then is lost.</source>
        <translation>Mit SIGKILL, als letzter Schritt. Was es gerade tut, geht verloren.</translation>
    </message>
    <message>
        <source>New policy</source>
        <translation>Neue Regel</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>{about}. It stays off until you switch it on.</source>
        <translation>{about}. Sie bleibt aus, bis du sie einschaltest.</translation>
    </message>
    <message>
        <source>{about}. It is on: a change holds at once.</source>
        <translation>{about}. Sie ist an: Änderungen gelten sofort.</translation>
    </message>
    <message>
        <source>Another policy is called “{name}”. Give this one a name of its own.</source>
        <translation>Eine andere Regel heißt „{name}“. Gib dieser einen eigenen Namen.</translation>
    </message>
    <message>
        <source>Idle for longer than</source>
        <translation>Länger untätig als</translation>
    </message>
    <message>
        <source>Such as 30m, 4h or 1d</source>
        <translation>Etwa 30m, 4h oder 1d</translation>
    </message>
    <message>
        <source>Gone for longer than</source>
        <translation>Länger weg als</translation>
    </message>
    <message>
        <source>Idle sessions of each host</source>
        <translation>Untätige Sitzungen je Host</translation>
    </message>
    <message>
        <source>At most so many stay</source>
        <translation>Höchstens so viele bleiben</translation>
    </message>
    <message>
        <source>Together more than</source>
        <translation>Zusammen mehr als</translation>
    </message>
    <message>
        <source>A size, a share, or both: 8 GB, 40%</source>
        <translation>Eine Größe, ein Anteil oder beides: 8 GB, 40%</translation>
    </message>
    <message>
        <source>Heap fuller than</source>
        <translation>Heap voller als</translation>
    </message>
    <message>
        <source>A share of its cap, such as 80%</source>
        <translation>Ein Anteil des Limits, etwa 80%</translation>
    </message>
    <message>
        <source>It needs a size or a share. Write it as 8 GB or 40%</source>
        <translation>Es braucht eine Größe oder einen Anteil. Schreibe 8 GB oder 40%</translation>
    </message>
    <message>
        <source>'{text}' is no whole number</source>
        <translation>'{text}' ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>{field}: {fault}.</source>
        <translation>{field}: {fault}.</translation>
    </message>
    <message>
        <source>Idle for {time}: nothing would have been released.</source>
        <translation>Untätig seit {time}: Nichts wäre freigegeben worden.</translation>
    </message>
    <message>
        <source>Idle for {time}: {freed} would have been free, of {sessions}; none of them worked again soon after.</source>
        <translation>Untätig seit {time}: {freed} wären frei gewesen, von {sessions}; keine davon arbeitete bald wieder.</translation>
    </message>
    <message>
        <source>Idle for {time}: {freed} would have been free, of {sessions}; {wrong} of them worked again soon after.</source>
        <translation>Untätig seit {time}: {freed} wären frei gewesen, von {sessions}; {wrong} davon arbeiteten bald wieder.</translation>
    </message>
    <message>
        <source>Memory freed by idle time.</source>
        <translation>Freigewordener Speicher nach Leerlaufzeit.</translation>
    </message>
    <message>
        <source>Wrong</source>
        <translation>Falsch</translation>
    </message>
    <message>
        <source>GB·h freed</source>
        <translation>GB·h frei</translation>
    </message>
    <message>
        <source>Now {time}</source>
        <translation>Jetzt {time}</translation>
    </message>
    <message>
        <source>On your own days</source>
        <translation>An deinen eigenen Tagen</translation>
    </message>
    <message>
        <source>Try it on the last 7 days</source>
        <translation>Mit den letzten 7 Tagen erproben</translation>
    </message>
    <message>
        <source>What this policy would have freed, and how often it would have been wrong.</source>
        <translation>Was diese Regel freigegeben hätte und wie oft sie falsch gelegen hätte.</translation>
    </message>
    <message>
        <source>Looking through the history</source>
        <translation>Verlauf wird durchgesehen</translation>
    </message>
    <message>
        <source>Looking through the history, {time}</source>
        <translation>Verlauf wird durchgesehen, {time}</translation>
    </message>
    <message>
        <source>The history could not be looked through: {why}</source>
        <translation>Der Verlauf konnte nicht durchgesehen werden: {why}</translation>
    </message>
    <message>
        <source>The history holds {time} so far: no session was idle for 5 min in it.</source>
        <translation>Der Verlauf umfasst bisher {time}: Keine Sitzung war darin 5 min untätig.</translation>
    </message>
    <message>
        <source>The history holds {time} so far. Let Agent Ring record for a day or more, then try again.</source>
        <translation>Der Verlauf umfasst bisher {time}. Lass Agent Ring einen Tag oder länger aufzeichnen und versuche es dann erneut.</translation>
    </message>
    <message>
        <source>On your own days: the last {time}</source>
        <translation>An deinen eigenen Tagen: die letzten {time}</translation>
    </message>
    <message>
        <source>The history holds {time} so far.</source>
        <translation>Der Verlauf umfasst bisher {time}.</translation>
    </message>
    <message>
        <source>Use {time}</source>
        <translation>{time} übernehmen</translation>
    </message>
    <message>
        <source>Use {time} for {name}</source>
        <translation>{time} für {name} übernehmen</translation>
    </message>
    <message>
        <source>as {time} ago</source>
        <translation>wie vor {time}</translation>
    </message>
    <message>
        <source>{change} in {time}</source>
        <translation>{change} in {time}</translation>
    </message>
    <message>
        <source>Open window</source>
        <translation>Zum Fenster</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>The last action broke off</source>
        <translation>Die letzte Aktion brach ab</translation>
    </message>
    <message>
        <source>Agent Ring itself: {size}, {share}</source>
        <translation>Agent Ring: {size}, {share}</translation>
    </message>
    <message>
        <source>Memory is {metric}</source>
        <translation>Speicher: {metric}</translation>
    </message>
    <message>
        <source>{metric}, {change}</source>
        <translation>{metric}, {change}</translation>
    </message>
    <message numerus="yes">
        <source>And {n} more, in the window.</source>
        <extracomment>And {n} more, in the window.</extracomment>
        <translation>
            <numerusform>Und {n} weitere, im Fenster.</numerusform>
            <numerusform>Und {n} weitere, im Fenster.</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation>Noch nichts gemessen</translation>
    </message>
    <message>
        <source>The first figures are on their way.</source>
        <translation>Die ersten Werte sind unterwegs.</translation>
    </message>
    <message>
        <source>No host of agents is known here.</source>
        <translation>Hier ist kein Agenten-Host bekannt.</translation>
    </message>
    <message numerus="yes">
        <source>Start one in {hosts} or another host. It shows up here within {n} seconds.</source>
        <extracomment>Start one in {hosts} or another host. It shows up here within {n} second.</extracomment>
        <translation>
            <numerusform>Starte eine in {hosts} oder einem anderen Host. Sie erscheint hier innerhalb von {n} Sekunde.</numerusform>
            <numerusform>Starte eine in {hosts} oder einem anderen Host. Sie erscheint hier innerhalb von {n} Sekunden.</numerusform>
        </translation>
    </message>
    <message>
        <source>Yesterday they held up to {size}, at {time}.</source>
        <translation>Gestern belegten sie bis zu {size}, um {time}.</translation>
    </message>
    <message>
        <source>Earlier today they held up to {size}, at {time}.</source>
        <translation>Heute belegten sie bis zu {size}, um {time}.</translation>
    </message>
    <message>
        <source>{size} can be released now</source>
        <translation>{size} jetzt freigebbar</translation>
    </message>
    <message>
        <source>{size} of heap can be released now</source>
        <translation>{size} Heap jetzt freigebbar</translation>
    </message>
    <message>
        <source>Release, about {size}</source>
        <translation>Freigeben, etwa {size}</translation>
    </message>
    <message>
        <source>Measuring is paused since {time}</source>
        <translation>Messung ist pausiert seit {time}</translation>
    </message>
    <message numerus="yes">
        <source>{n} idle sessions</source>
        <extracomment>{n} idle session</extracomment>
        <translation>
            <numerusform>{n} untätige Sitzung</numerusform>
            <numerusform>{n} untätige Sitzungen</numerusform>
        </translation>
    </message>
    <message>
        <source>{sessions} and {orphans}</source>
        <translation>{sessions} und {orphans}</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Belongs here because</source>
        <translation>Gehört dazu, weil</translation>
    </message>
    <message>
        <source>its host keeps it</source>
        <translation>vom Host behalten</translation>
    </message>
    <message>
        <source>closed by its host</source>
        <translation>vom Host geschlossen</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Wrapper</source>
        <translation>Hüllprozess</translation>
    </message>
    <message>
        <source>Launcher</source>
        <translation>Starter</translation>
    </message>
    <message>
        <source>Helper</source>
        <translation>Helfer</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Shell</source>
        <translation>Shell</translation>
    </message>
    <message>
        <source>Infra</source>
        <translation>Infrastruktur</translation>
    </message>
    <message>
        <source>Spare</source>
        <translation>Reserve</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>Client</translation>
    </message>
    <message>
        <source>App</source>
        <translation>App</translation>
    </message>
    <message>
        <source>Backend, surplus</source>
        <translation>Backend, überzählig</translation>
    </message>
    <message>
        <source>Backend, current</source>
        <translation>Backend, aktuell</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Processes of this session</source>
        <translation>Prozesse dieser Sitzung</translation>
    </message>
    <message>
        <source>You, from the menu bar</source>
        <translation>Du, aus der Menüleiste</translation>
    </message>
    <message>
        <source>You, from the window</source>
        <translation>Du, aus dem Fenster</translation>
    </message>
    <message>
        <source>You, from the journal</source>
        <translation>Du, aus dem Journal</translation>
    </message>
    <message>
        <source>You, from the command line</source>
        <translation>Du, per Befehlszeile</translation>
    </message>
    <message>
        <source>By the policy “{name}”</source>
        <translation>Durch die Regel „{name}“</translation>
    </message>
    <message>
        <source>You, from the {place}</source>
        <translation>Du, aus: {place}</translation>
    </message>
    <message>
        <source>Left: {names}</source>
        <translation>Übrig: {names}</translation>
    </message>
    <message>
        <source>{before} before, {after} after</source>
        <translation>{before} vorher, {after} nachher</translation>
    </message>
    <message>
        <source>Copy resume command</source>
        <translation>Befehl zum Fortsetzen kopieren</translation>
    </message>
    <message>
        <source>Resuming</source>
        <translation>Wird fortgesetzt</translation>
    </message>
    <message>
        <source>Resumed</source>
        <translation>Fortgesetzt</translation>
    </message>
    <message>
        <source>Runs again</source>
        <translation>Läuft wieder</translation>
    </message>
    <message>
        <source>It runs already. Nothing was started.</source>
        <translation>Sie läuft bereits. Nichts wurde gestartet.</translation>
    </message>
    <message>
        <source>{why}. The command was copied instead.</source>
        <translation>{why}. Stattdessen wurde der Befehl kopiert.</translation>
    </message>
    <message>
        <source>Opened</source>
        <translation>Geöffnet</translation>
    </message>
    <message>
        <source>Resume {title}</source>
        <translation>{title} fortsetzen</translation>
    </message>
    <message>
        <source>Resume {title}, in a terminal</source>
        <translation>{title} fortsetzen, in einem Terminal</translation>
    </message>
    <message>
        <source>transcript</source>
        <translation>Protokoll der Unterhaltung</translation>
    </message>
    <message>
        <source>rollout</source>
        <translation>Rollout</translation>
    </message>
    <message>
        <source>terminal</source>
        <translation>Terminal</translation>
    </message>
    <message>
        <source>registry</source>
        <translation>Registrierung</translation>
    </message>
    <message>
        <source>process table</source>
        <translation>Prozessliste</translation>
    </message>
    <message>
        <source>its host</source>
        <translation>sein Host</translation>
    </message>
    <message>
        <source>its variable</source>
        <translation>seine Variable</translation>
    </message>
    <message>
        <source>its program</source>
        <translation>sein Programm</translation>
    </message>
    <message>
        <source>its arguments</source>
        <translation>seine Argumente</translation>
    </message>
    <message>
        <source>No program opens folders here. The folder is {folder}</source>
        <translation>Hier öffnet kein Programm Ordner. Der Ordner ist {folder}</translation>
    </message>
    <message>
        <source>Survived</source>
        <translation>Läuft weiter</translation>
    </message>
    <message>
        <source>{host}, its session is gone</source>
        <translation>{host}, die Sitzung ist weg</translation>
    </message>
    <message>
        <source>{state}, no work running</source>
        <translation>{state}, keine Arbeit läuft</translation>
    </message>
    <message>
        <source>Release {size}</source>
        <translation>{size} freigeben</translation>
    </message>
    <message>
        <source>Release these {n}</source>
        <translation>Diese {n} freigeben</translation>
    </message>
    <message>
        <source>Release {n}, about {size}</source>
        <translation>{n} freigeben, etwa {size}</translation>
    </message>
    <message>
        <source>End {size}</source>
        <translation>{size} beenden</translation>
    </message>
    <message>
        <source>End these {n}</source>
        <translation>Diese {n} beenden</translation>
    </message>
    <message>
        <source>End {n}, about {size}</source>
        <translation>{n} beenden, etwa {size}</translation>
    </message>
    <message>
        <source>Clear {size}</source>
        <translation>{size} entfernen</translation>
    </message>
    <message>
        <source>Clear these {n}</source>
        <translation>Diese {n} entfernen</translation>
    </message>
    <message>
        <source>Clear {n}</source>
        <translation>{n} entfernen</translation>
    </message>
    <message>
        <source>List as of {time}. Each item is checked again just before it goes.</source>
        <translation>Stand {time}. Jeder Eintrag wird unmittelbar davor erneut geprüft.</translation>
    </message>
    <message>
        <source>Idle sessions</source>
        <translation>Untätige Sitzungen</translation>
    </message>
    <message>
        <source>released by their host, can be resumed</source>
        <translation>vom Host freigegeben, können fortgesetzt werden</translation>
    </message>
    <message>
        <source>Inside {host}</source>
        <translation>Innerhalb von {host}</translation>
    </message>
    <message>
        <source>In the heap of {host}</source>
        <translation>Im Heap von {host}</translation>
    </message>
    <message>
        <source>unloaded by it, no process ends</source>
        <translation>vom Host entladen, kein Prozess endet</translation>
    </message>
    <message>
        <source>Ended sessions</source>
        <translation>Beendete Sitzungen</translation>
    </message>
    <message>
        <source>still listed by their host, which clears them</source>
        <translation>vom Host noch gelistet, der sie entfernt</translation>
    </message>
    <message>
        <source>their session is gone, ended by signal</source>
        <translation>die Sitzung ist weg, per Signal beendet</translation>
    </message>
    <message numerus="yes">
        <source>End {n} orphans?</source>
        <extracomment>End {n} orphan?</extracomment>
        <translation>
            <numerusform>{n} verwaisten Prozess beenden?</numerusform>
            <numerusform>{n} verwaiste Prozesse beenden?</numerusform>
        </translation>
    </message>
    <message>
        <source>Release {size}?</source>
        <translation>{size} freigeben?</translation>
    </message>
    <message>
        <source>Release about {size}?</source>
        <translation>Etwa {size} freigeben?</translation>
    </message>
    <message>
        <source>Release nothing?</source>
        <translation>Nichts freigeben?</translation>
    </message>
    <message numerus="yes">
        <source>Clear {n} ended sessions?</source>
        <extracomment>Clear {n} ended session?</extracomment>
        <translation>
            <numerusform>{n} beendete Sitzung entfernen?</numerusform>
            <numerusform>{n} beendete Sitzungen entfernen?</numerusform>
        </translation>
    </message>
    <message>
        <source>{n} of {all} selected</source>
        <translation>{n} von {all} ausgewählt</translation>
    </message>
    <message>
        <source>Releasing {n} of {all}</source>
        <translation>Freigabe {n} von {all}</translation>
    </message>
    <message>
        <source>Nothing came back so far.</source>
        <translation>Bisher nichts zurückgewonnen.</translation>
    </message>
    <message>
        <source>{name} is looked at once more</source>
        <translation>{name} wird noch einmal geprüft</translation>
    </message>
    <message>
        <source>{size} came back so far.</source>
        <translation>Bisher {size} zurückgewonnen.</translation>
    </message>
    <message>
        <source>A heap gives back what was released when its host next collects it as a whole.</source>
        <translation>Ein Heap gibt Freigegebenes zurück, wenn der Host ihn das nächste Mal ganz aufräumt.</translation>
    </message>
    <message>
        <source>{what}, {waited} of {most}</source>
        <translation>{what}, {waited} von {most}</translation>
    </message>
    <message>
        <source>Measured as {metric} from {since} to {until}.</source>
        <translation>Gemessen als {metric} von {since} bis {until}.</translation>
    </message>
    <message>
        <source>{measured} Expected {size}.</source>
        <translation>{measured} Erwartet waren {size}.</translation>
    </message>
    <message>
        <source>{title}, expected {size}</source>
        <translation>{title}, erwartet {size}</translation>
    </message>
    <message>
        <source>Free on this computer</source>
        <translation>Frei auf diesem Computer</translation>
    </message>
    <message>
        <source>By resident memory (RSS)</source>
        <translation>Nach residentem Speicher (RSS)</translation>
    </message>
    <message>
        <source>Resume opens it in your terminal; the journal keeps the command.</source>
        <translation>Fortsetzen öffnet sie im Terminal; der Befehl steht im Journal.</translation>
    </message>
    <message>
        <source>Resume asks the host to bring it back; the journal offers it too.</source>
        <translation>Fortsetzen bittet den Host, sie zurückzuholen; auch das Journal bietet es an.</translation>
    </message>
    <message>
        <source>Resume asks the host to bring it back; the journal offers it too. Others open in your terminal.</source>
        <translation>Fortsetzen bittet den Host, sie zurückzuholen; auch das Journal bietet es an. Andere öffnen sich im Terminal.</translation>
    </message>
    <message>
        <source>Resume at any time</source>
        <translation>Jederzeit fortsetzbar</translation>
    </message>
    <message>
        <source>End what is left of {name}</source>
        <translation>Rest von {name} beenden</translation>
    </message>
    <message>
        <source>The action broke off</source>
        <translation>Die Aktion brach ab</translation>
    </message>
    <message>
        <source>Gone</source>
        <translation>Weg</translation>
    </message>
    <message>
        <source>of {total}</source>
        <translation>von {total}</translation>
    </message>
    <message>
        <source>heap</source>
        <translation>Heap</translation>
    </message>
    <message>
        <source>Shared</source>
        <translation>Geteilt</translation>
    </message>
    <message numerus="yes">
        <source>{n} small ones</source>
        <extracomment>{n} small one</extracomment>
        <translation>
            <numerusform>{n} kleiner</numerusform>
            <numerusform>{n} kleine</numerusform>
        </translation>
    </message>
    <message>
        <source>can be released</source>
        <translation>freigebbar</translation>
    </message>
    <message>
        <source>Orphans and leaked helpers</source>
        <translation>Verwaiste und verlorene Helfer</translation>
    </message>
    <message>
        <source>Show in window</source>
        <translation>Im Fenster zeigen</translation>
    </message>
    <message>
        <source>Open terminal</source>
        <translation>Terminal öffnen</translation>
    </message>
    <message>
        <source>Reveal folder</source>
        <translation>Ordner zeigen</translation>
    </message>
    <message>
        <source>End it now…</source>
        <translation>Jetzt beenden…</translation>
    </message>
    <message>
        <source>{verb} {title}</source>
        <translation>{title}: {verb}</translation>
    </message>
    <message>
        <source>{verb} {title}, about {size}</source>
        <translation>{title}: {verb}, etwa {size}</translation>
    </message>
    <message>
        <source>{share} CPU</source>
        <translation>{share} CPU</translation>
    </message>
    <message numerus="yes">
        <source>End {n} orphans…</source>
        <extracomment>End {n} orphan…</extracomment>
        <translation>
            <numerusform>{n} verwaisten Prozess beenden…</numerusform>
            <numerusform>{n} verwaiste Prozesse beenden…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Their sessions are gone</source>
        <extracomment>Its session is gone</extracomment>
        <translation>
            <numerusform>Die Sitzung ist weg</numerusform>
            <numerusform>Die Sitzungen sind weg</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing can reach them any more</source>
        <extracomment>Nothing can reach it any more</extracomment>
        <translation>
            <numerusform>Nichts erreicht ihn mehr</numerusform>
            <numerusform>Nichts erreicht sie mehr</numerusform>
        </translation>
    </message>
    <message>
        <source>{gone} without a session, {leaked} that nothing can reach</source>
        <translation>{gone} ohne Sitzung, {leaked} unerreichbar</translation>
    </message>
    <message>
        <source>Releasing, waits for the one before it</source>
        <translation>Freigabe wartet auf die vorige</translation>
    </message>
    <message>
        <source>Heap is awaited, {waited} of {wait}</source>
        <translation>Heap wird erwartet, {waited} von {wait}</translation>
    </message>
    <message>
        <source>Releasing, {waited} of {wait}</source>
        <translation>Freigabe läuft, {waited} von {wait}</translation>
    </message>
    <message>
        <source>Releasing</source>
        <translation>Freigabe läuft</translation>
    </message>
    <message>
        <source>Released, {size} of heap</source>
        <translation>Freigegeben, {size} Heap</translation>
    </message>
    <message>
        <source>Ended, {size} of heap</source>
        <translation>Beendet, {size} Heap</translation>
    </message>
    <message>
        <source>Released by “{policy}”, {size}</source>
        <translation>Freigegeben durch „{policy}“, {size}</translation>
    </message>
    <message>
        <source>Ended by “{policy}”, {size}</source>
        <translation>Beendet durch „{policy}“, {size}</translation>
    </message>
    <message>
        <source>Its host is asked to bring it back</source>
        <translation>Der Host wird gebeten, sie zurückzuholen</translation>
    </message>
    <message>
        <source>Back to {page}</source>
        <translation>Zurück zu {page}</translation>
    </message>
    <message>
        <source>What a release does</source>
        <translation>Was eine Freigabe tut</translation>
    </message>
    <message>
        <source>What ending it does</source>
        <translation>Was das Beenden tut</translation>
    </message>
    <message>
        <source>Not offered now: {reason}.</source>
        <translation>Jetzt nicht angeboten: {reason}.</translation>
    </message>
    <message>
        <source>Its host brings it back: “Resume” stands here and in the journal once it is released</source>
        <translation>Der Host holt sie zurück: „Fortsetzen“ steht nach der Freigabe hier und im Journal</translation>
    </message>
    <message>
        <source>The host does not tell how to resume it</source>
        <translation>Der Host sagt nicht, wie sie fortgesetzt wird</translation>
    </message>
    <message>
        <source>{these}. Nothing else is touched.</source>
        <translation>{these}. Sonst wird nichts angetastet.</translation>
    </message>
    <message>
        <source>About {size} comes back.</source>
        <translation>Etwa {size} kommen zurück.</translation>
    </message>
    <message>
        <source>No process ends, and nothing else is touched.</source>
        <translation>Kein Prozess endet, und sonst wird nichts angetastet.</translation>
    </message>
    <message>
        <source>{size} of heap comes back with its next full collection; resident memory follows late.</source>
        <translation>{size} Heap kommen mit der nächsten vollen Sammlung zurück; residenter Speicher folgt später.</translation>
    </message>
    <message>
        <source>{some} and {last}</source>
        <translation>{some} und {last}</translation>
    </message>
    <message numerus="yes">
        <source>{these} go</source>
        <extracomment>{these} goes</extracomment>
        <translation>
            <numerusform>{these} endet</numerusform>
            <numerusform>{these} enden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} backends</source>
        <extracomment>{n} backend</extracomment>
        <translation>
            <numerusform>{n} Backend</numerusform>
            <numerusform>{n} Backends</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} helpers</source>
        <extracomment>{n} helper</extracomment>
        <translation>
            <numerusform>{n} Helfer</numerusform>
            <numerusform>{n} Helfer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} work processes</source>
        <extracomment>{n} work process</extracomment>
        <translation>
            <numerusform>{n} Arbeitsprozess</numerusform>
            <numerusform>{n} Arbeitsprozesse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} wrappers</source>
        <extracomment>{n} wrapper</extracomment>
        <translation>
            <numerusform>{n} Hüllprozess</numerusform>
            <numerusform>{n} Hüllprozesse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} other processes</source>
        <extracomment>{n} other process</extracomment>
        <translation>
            <numerusform>{n} anderer Prozess</numerusform>
            <numerusform>{n} andere Prozesse</numerusform>
        </translation>
    </message>
    <message>
        <source>busy since {time}</source>
        <translation>beschäftigt seit {time}</translation>
    </message>
    <message>
        <source>waiting since {time}</source>
        <translation>wartet seit {time}</translation>
    </message>
    <message>
        <source>idle since {time}</source>
        <translation>untätig seit {time}</translation>
    </message>
    <message>
        <source>ended since {time}</source>
        <translation>beendet seit {time}</translation>
    </message>
    <message>
        <source>unknown since {time}</source>
        <translation>unklar seit {time}</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>Weitere Aktionen</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Install plugin…</source>
        <translation>Plugin installieren…</translation>
    </message>
    <message>
        <source>Memory, 6 h</source>
        <translation>Speicher, 6 h</translation>
    </message>
    <message>
        <source>{size} of it</source>
        <translation>{size} davon</translation>
    </message>
    <message>
        <source>Allow: {what}</source>
        <translation>Erlauben: {what}</translation>
    </message>
    <message>
        <source>Heap of {host}, 6 h</source>
        <translation>Heap von {host}, 6 h</translation>
    </message>
    <message>
        <source>in the heap of process {pid}</source>
        <translation>im Heap von Prozess {pid}</translation>
    </message>
    <message>
        <source>in process {pid}</source>
        <translation>in Prozess {pid}</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Tokens</translation>
    </message>
    <message>
        <source>This session holds nothing any more</source>
        <translation>Diese Sitzung belegt nichts mehr</translation>
    </message>
    <message>
        <source>Its processes are gone. What is shown here is the last that was seen.</source>
        <translation>Ihre Prozesse sind weg. Hier steht, was zuletzt zu sehen war.</translation>
    </message>
    <message>
        <source>End with a signal…</source>
        <translation>Per Signal beenden…</translation>
    </message>
    <message>
        <source>Copy id</source>
        <translation>ID kopieren</translation>
    </message>
    <message>
        <source>More for {title}</source>
        <translation>Mehr zu {title}</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>Memory in use</source>
        <translation>Genutzter Speicher</translation>
    </message>
    <message>
        <source>Fullest heap</source>
        <translation>Vollster Heap</translation>
    </message>
    <message>
        <source>What agents hold of this computer's memory</source>
        <translation>Was Agenten vom Speicher dieses Computers belegen</translation>
    </message>
    <message>
        <source>How much of this computer's memory is in use</source>
        <translation>Wie viel Speicher dieses Computers genutzt wird</translation>
    </message>
    <message>
        <source>How full the fullest heap of a host is</source>
        <translation>Wie voll der vollste Heap eines Hosts ist</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Ein</translation>
    </message>
    <message>
        <source>What this system gets back when a process ends</source>
        <translation>Was dieses System zurückbekommt, wenn ein Prozess endet</translation>
    </message>
    <message>
        <source>A process's own memory, and its part of what it shares</source>
        <translation>Eigener Speicher eines Prozesses und sein Anteil am geteilten</translation>
    </message>
    <message>
        <source>What a process has for itself alone</source>
        <translation>Was ein Prozess für sich allein hat</translation>
    </message>
    <message>
        <source>A session waits for me</source>
        <translation>Eine Sitzung wartet auf Antwort</translation>
    </message>
    <message>
        <source>Orphans appear</source>
        <translation>Verwaiste Prozesse tauchen auf</translation>
    </message>
    <message>
        <source>A policy acts</source>
        <translation>Eine Regel handelt</translation>
    </message>
    <message>
        <source>A release did not hold</source>
        <translation>Eine Freigabe hielt nicht</translation>
    </message>
    <message>
        <source>Mute for 1 h</source>
        <translation>1 h stummschalten</translation>
    </message>
    <message>
        <source>Unmute</source>
        <translation>Ton an</translation>
    </message>
    <message>
        <source>Reset…</source>
        <translation>Zurücksetzen…</translation>
    </message>
    <message>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Takes effect at the next start of Agent Ring</source>
        <translation>Gilt ab dem nächsten Start von Agent Ring</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>Bewegung</translation>
    </message>
    <message>
        <source>What moves after an action; nothing moves by itself</source>
        <translation>Was sich nach einer Aktion bewegt; von selbst bewegt sich nichts</translation>
    </message>
    <message>
        <source>Shows</source>
        <translation>Zeigt</translation>
    </message>
    <message>
        <source>Memory figure</source>
        <translation>Speicherwert</translation>
    </message>
    <message>
        <source>Ring</source>
        <translation>Ring</translation>
    </message>
    <message>
        <source>Icon</source>
        <translation>Symbol</translation>
    </message>
    <message>
        <source>Automatic follows the bar's colour</source>
        <translation>„Automatisch“ folgt der Farbe der Leiste</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <source>While a view is open or an agent runs</source>
        <translation>Solange eine Ansicht offen ist oder ein Agent läuft</translation>
    </message>
    <message>
        <source>Idle after</source>
        <translation>Untätig nach</translation>
    </message>
    <message>
        <source>Without activity for this long</source>
        <translation>So lange ohne Aktivität</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufzeichnen</translation>
    </message>
    <message>
        <source>Keep for</source>
        <translation>Aufbewahren für</translation>
    </message>
    <message>
        <source>Older measurements are removed</source>
        <translation>Ältere Messwerte werden entfernt</translation>
    </message>
    <message>
        <source>Delete history</source>
        <translation>Verlauf löschen</translation>
    </message>
    <message>
        <source>Settings and the journal stay</source>
        <translation>Einstellungen und Journal bleiben</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>Standardwerte</translation>
    </message>
    <message>
        <source>Reset all settings</source>
        <translation>Alle Einstellungen zurücksetzen</translation>
    </message>
    <message>
        <source>Policies, what you allow with hosts, the history and the journal stay</source>
        <translation>Regeln, Erlaubnisse für Hosts, Verlauf und Journal bleiben</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>When this computer runs out of free memory</source>
        <translation>Wenn diesem Computer der freie Speicher ausgeht</translation>
    </message>
    <message>
        <source>Before it releases something, and when it has</source>
        <translation>Bevor sie etwas freigibt und danach</translation>
    </message>
    <message>
        <source>When something starts again what you released</source>
        <translation>Wenn Freigegebenes wieder gestartet wird</translation>
    </message>
    <message>
        <source>Agents hold more than</source>
        <translation>Agenten belegen mehr als</translation>
    </message>
    <message>
        <source>Together, of this computer's memory</source>
        <translation>Zusammen, vom Speicher dieses Computers</translation>
    </message>
    <message>
        <source>A host's heap is fuller than</source>
        <translation>Heap eines Hosts voller als</translation>
    </message>
    <message>
        <source>Of its own limit</source>
        <translation>Vom eigenen Limit</translation>
    </message>
    <message>
        <source>The table of your own processes, and what each host writes down about its sessions</source>
        <translation>Die Liste deiner eigenen Prozesse und was jeder Host über seine Sitzungen notiert</translation>
    </message>
    <message>
        <source>Message texts are read past, and the files of your projects are not opened</source>
        <translation>Texte von Nachrichten werden übersprungen, Dateien deiner Projekte nicht geöffnet</translation>
    </message>
    <message>
        <source>Figures, titles, folders and ids. No prompts, no command lines, no keys</source>
        <translation>Werte, Titel, Ordner und IDs. Keine Prompts, keine Befehlszeilen, keine Schlüssel</translation>
    </message>
    <message>
        <source>Nothing. There is no account, and no server of ours</source>
        <translation>Nichts. Es gibt kein Konto und keinen Server von uns</translation>
    </message>
    <message>
        <source>A host's token or password is read only where you allow it, and kept in memory only</source>
        <translation>Token oder Passwort eines Hosts werden nur gelesen, wo du es erlaubst, und nur im Arbeitsspeicher gehalten</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>Datenschutz</translation>
    </message>
    <message>
        <source>What is read</source>
        <translation>Was gelesen wird</translation>
    </message>
    <message>
        <source>What is never read</source>
        <translation>Was nie gelesen wird</translation>
    </message>
    <message>
        <source>What is kept on this computer</source>
        <translation>Was auf diesem Computer bleibt</translation>
    </message>
    <message>
        <source>What is sent</source>
        <translation>Was gesendet wird</translation>
    </message>
    <message>
        <source>Secrets</source>
        <translation>Geheimnisse</translation>
    </message>
    <message>
        <source>Named as soon as something is measured</source>
        <translation>Steht hier, sobald etwas gemessen ist</translation>
    </message>
    <message>
        <source>Resident memory: shared pages count in each process, so sums are too high</source>
        <translation>Residenter Speicher: Geteilte Seiten zählen in jedem Prozess, Summen sind daher zu hoch</translation>
    </message>
    <message>
        <source>Off. A policy never touches busy, waiting or unknown sessions</source>
        <translation>Aus. Beschäftigte, wartende oder unklare Sitzungen fasst eine Regel nie an</translation>
    </message>
    <message numerus="yes">
        <source>{n} policies are on. They take only what rests</source>
        <extracomment>{n} policy is on. It takes only what rests</extracomment>
        <translation>
            <numerusform>{n} Regel ist an. Sie nimmt nur Ruhendes</numerusform>
            <numerusform>{n} Regeln sind an. Sie nehmen nur Ruhendes</numerusform>
        </translation>
    </message>
    <message>
        <source>Muted until {time}. What is told stands in the popover all the same.</source>
        <translation>Stumm bis {time}. Im Popover steht es trotzdem.</translation>
    </message>
    <message>
        <source>As notifications of the desktop, and in the popover</source>
        <translation>Als Mitteilungen des Desktops und im Popover</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausieren</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Pause recording</source>
        <translation>Aufzeichnung pausieren</translation>
    </message>
    <message>
        <source>Go on recording</source>
        <translation>Aufzeichnung fortsetzen</translation>
    </message>
    <message>
        <source>Paused: the charts have a gap until you go on</source>
        <translation>Pausiert: Die Diagramme haben eine Lücke, bis es weitergeht</translation>
    </message>
    <message>
        <source>Measurements stay on this computer</source>
        <translation>Messwerte bleiben auf diesem Computer</translation>
    </message>
    <message>
        <source>{size} on disk, kept for {time}</source>
        <translation>{size} auf dem Datenträger, aufbewahrt für {time}</translation>
    </message>
    <message>
        <source>Allowed with hosts</source>
        <translation>Für Hosts erlaubt</translation>
    </message>
    <message>
        <source>The change could not be kept</source>
        <translation>Die Änderung konnte nicht gespeichert werden</translation>
    </message>
    <message>
        <source>The charts begin anew, and what was measured cannot be brought back. Settings and the journal stay.</source>
        <translation>Die Diagramme beginnen neu, und Gemessenes lässt sich nicht zurückholen. Einstellungen und Journal bleiben.</translation>
    </message>
    <message>
        <source>Delete all measurements?</source>
        <translation>Alle Messwerte löschen?</translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation>Gelöscht</translation>
    </message>
    <message>
        <source>Intervals, notices, the ring and all else on this page are as they were at first. Policies, what you allow with hosts, the history and the journal stay.</source>
        <translation>Intervalle, Meldungen, der Ring und alles andere auf dieser Seite sind dann wie am Anfang. Regeln, Erlaubnisse für Hosts, Verlauf und Journal bleiben.</translation>
    </message>
    <message>
        <source>Reset all settings?</source>
        <translation>Alle Einstellungen zurücksetzen?</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Installieren</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>Erlauben</translation>
    </message>
    <message>
        <source>Agree</source>
        <translation>Einverstanden</translation>
    </message>
    <message>
        <source>Installing</source>
        <translation>Wird installiert</translation>
    </message>
    <message>
        <source>Allowing</source>
        <translation>Wird erlaubt</translation>
    </message>
    <message>
        <source>Working</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>It is there already</source>
        <translation>Bereits vorhanden</translation>
    </message>
    <message>
        <source>This will</source>
        <translation>Dies wird getan</translation>
    </message>
    <message>
        <source>Look at {host}</source>
        <translation>Bei {host} nachsehen</translation>
    </message>
    <message>
        <source>What could be put into it or allowed with it stands here. Nothing is done by itself.</source>
        <translation>Hier steht, was dort installiert oder erlaubt werden kann. Von selbst geschieht nichts.</translation>
    </message>
    <message>
        <source>Allow this with {host}?</source>
        <translation>Dies für {host} erlauben?</translation>
    </message>
    <message>
        <source>Nothing of it is done until you agree. What you allow is kept in the settings of Agent Ring, and can be taken back there at any time.</source>
        <translation>Nichts davon geschieht ohne dein Einverständnis. Was du erlaubst, steht in den Einstellungen von Agent Ring und kann dort jederzeit zurückgenommen werden.</translation>
    </message>
    <message>
        <source>Put the plugin into {host}?</source>
        <translation>Plugin in {host} installieren?</translation>
    </message>
    <message>
        <source>It tells how full the heap of {host} is and what each session holds in it, and releases idle ones. It listens on this computer only. Nothing is written until you agree.</source>
        <translation>Es sagt, wie voll der Heap von {host} ist und was jede Sitzung darin belegt, und gibt untätige frei. Es hört nur auf diesem Computer. Nichts wird geschrieben, bevor du einverstanden bist.</translation>
    </message>
    <message>
        <source>Nothing was found that could be put into it or allowed with it now.</source>
        <translation>Es wurde nichts gefunden, was jetzt dort installiert oder erlaubt werden könnte.</translation>
    </message>
    <message>
        <source>Allowed. The settings take it back, and so does:</source>
        <translation>Erlaubt. Die Einstellungen nehmen es zurück, ebenso:</translation>
    </message>
    <message>
        <source>Allowed. The settings take it back.</source>
        <translation>Erlaubt. Die Einstellungen nehmen es zurück.</translation>
    </message>
    <message>
        <source>Done. To take it out again:</source>
        <translation>Fertig. Zum Entfernen:</translation>
    </message>
    <message>
        <source>Done.</source>
        <translation>Fertig.</translation>
    </message>
    <message>
        <source>Show only this in chart and tree; again to show all</source>
        <translation>In Diagramm und Liste nur dies zeigen; erneut, um alles zu zeigen</translation>
    </message>
    <message>
        <source>Only this is shown; again to show all</source>
        <translation>Nur dies wird gezeigt; erneut, um alles zu zeigen</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>0 of {total}</source>
        <translation>0 von {total}</translation>
    </message>
    <message numerus="yes">
        <source>Next to go, {n} can go</source>
        <extracomment>Next to go, {n} can go</extracomment>
        <translation>
            <numerusform>Als Nächstes, {n} kann gehen</numerusform>
            <numerusform>Als Nächstes, {n} können gehen</numerusform>
        </translation>
    </message>
    <message>
        <source>Agent Ring: {memory}, {cpu}</source>
        <translation>Agent Ring: {memory}, {cpu}</translation>
    </message>
    <message>
        <source>under 1 s</source>
        <translation>unter 1 s</translation>
    </message>
    <message>
        <source>Measuring is paused</source>
        <translation>Messung ist pausiert</translation>
    </message>
    <message>
        <source>Recording, every {every}</source>
        <translation>Zeichnet auf, alle {every}</translation>
    </message>
    <message>
        <source>Not recording, every {every}</source>
        <translation>Zeichnet nicht auf, alle {every}</translation>
    </message>
    <message>
        <source>{host}, {memory}</source>
        <translation>{host}, {memory}</translation>
    </message>
    <message>
        <source>The system hides the icon. Allow Agent Ring under System Settings, Menu Bar; starting it again opens this window.</source>
        <translation>Das System blendet das Symbol aus. Erlaube Agent Ring in den Systemeinstellungen unter Menüleiste; ein erneuter Start öffnet dieses Fenster.</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Wieder messen</translation>
    </message>
    <message>
        <source>Release idle…</source>
        <translation>Untätige freigeben…</translation>
    </message>
    <message>
        <source>Idle for</source>
        <translation>Untätig seit</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>Letzte Stunde</translation>
    </message>
    <message>
        <source>End {title}…</source>
        <translation>{title} beenden…</translation>
    </message>
    <message>
        <source>Clear {title}…</source>
        <translation>{title} entfernen…</translation>
    </message>
    <message>
        <source>Open {title}</source>
        <translation>{title} öffnen</translation>
    </message>
    <message>
        <source>Why does {title} stay?</source>
        <translation>Warum bleibt {title}?</translation>
    </message>
    <message>
        <source>backend, pid {pid}</source>
        <translation>Backend, PID {pid}</translation>
    </message>
    <message>
        <source>helper, pid {pid}</source>
        <translation>Helfer, PID {pid}</translation>
    </message>
    <message>
        <source>work, pid {pid}</source>
        <translation>Arbeit, PID {pid}</translation>
    </message>
    <message>
        <source>wrapper, pid {pid}</source>
        <translation>Hüllprozess, PID {pid}</translation>
    </message>
    <message>
        <source>launcher, pid {pid}</source>
        <translation>Starter, PID {pid}</translation>
    </message>
    <message>
        <source>infra, pid {pid}</source>
        <translation>Infrastruktur, PID {pid}</translation>
    </message>
    <message>
        <source>shell, pid {pid}</source>
        <translation>Shell, PID {pid}</translation>
    </message>
    <message>
        <source>spare, pid {pid}</source>
        <translation>Reserve, PID {pid}</translation>
    </message>
    <message>
        <source>client, pid {pid}</source>
        <translation>Client, PID {pid}</translation>
    </message>
    <message>
        <source>app, pid {pid}</source>
        <translation>App, PID {pid}</translation>
    </message>
    <message>
        <source>unknown, pid {pid}</source>
        <translation>unbekannt, PID {pid}</translation>
    </message>
    <message>
        <source>surplus backend, pid {pid}</source>
        <translation>überzähliges Backend, PID {pid}</translation>
    </message>
    <message>
        <source>current backend, pid {pid}</source>
        <translation>aktuelles Backend, PID {pid}</translation>
    </message>
    <message>
        <source>{host} itself</source>
        <translation>{host} selbst</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Release {title}, about {size}</source>
        <translation>{title} freigeben, etwa {size}</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>Sortieren nach</translation>
    </message>
    <message>
        <source>Columns as usual</source>
        <translation>Spalten wie üblich</translation>
    </message>
    <message>
        <source>Nothing matches the filter</source>
        <translation>Nichts passt zum Filter</translation>
    </message>
    <message>
        <source>{file} cannot be read: {fault}. The window starts as new, and the file is written anew.</source>
        <translation>{file} kann nicht gelesen werden: {fault}. Das Fenster beginnt neu, und die Datei wird neu geschrieben.</translation>
    </message>
    <message>
        <source>{file} is from a newer Agent Ring. The window starts as new, and remembers nothing.</source>
        <translation>{file} stammt von einem neueren Agent Ring. Das Fenster beginnt neu und merkt sich nichts.</translation>
    </message>
    <message>
        <source>{file} cannot be written: {fault}. The window forgets its columns.</source>
        <translation>{file} kann nicht geschrieben werden: {fault}. Das Fenster merkt sich seine Spalten nicht.</translation>
    </message>
    <message>
        <source>speaks for it</source>
        <translation>spricht dafür</translation>
    </message>
    <message>
        <source>told only</source>
        <translation>nur erwähnt</translation>
    </message>
    <message>
        <source>could not be read</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>speaks against it</source>
        <translation>spricht dagegen</translation>
    </message>
    <message>
        <source>Why is this busy?</source>
        <translation>Warum ist das beschäftigt?</translation>
    </message>
    <message>
        <source>Why does this wait for you?</source>
        <translation>Warum wartet das auf dich?</translation>
    </message>
    <message>
        <source>Why is this idle?</source>
        <translation>Warum ist das untätig?</translation>
    </message>
    <message>
        <source>Why has this ended?</source>
        <translation>Warum ist das beendet?</translation>
    </message>
    <message>
        <source>Why can its state not be told?</source>
        <translation>Warum ist der Zustand unklar?</translation>
    </message>
    <message>
        <source>Why is this an orphan?</source>
        <translation>Warum ist das verwaist?</translation>
    </message>
    <message>
        <source>Why is this counted here?</source>
        <translation>Warum wird das hier gezählt?</translation>
    </message>
    <message>
        <source>{state}, confirmed twice</source>
        <translation>{state}, zweimal bestätigt</translation>
    </message>
    <message>
        <source>{time} ago</source>
        <translation>vor {time}</translation>
    </message>
    <message>
        <source>Where it comes from</source>
        <translation>Woher es kommt</translation>
    </message>
    <message>
        <source>from the process table</source>
        <translation>aus der Prozessliste</translation>
    </message>
    <message>
        <source>Used by several sessions</source>
        <translation>Von mehreren Sitzungen genutzt</translation>
    </message>
    <message>
        <source>Its host's own</source>
        <translation>Vom Host selbst</translation>
    </message>
    <message>
        <source>Agent Ring itself</source>
        <translation>Agent Ring selbst</translation>
    </message>
    <message>
        <source>Cannot tell, last seen busy</source>
        <translation>Unklar, zuletzt beschäftigt</translation>
    </message>
    <message>
        <source>Cannot tell, last seen waiting</source>
        <translation>Unklar, zuletzt wartend</translation>
    </message>
    <message>
        <source>Cannot tell, last seen idle</source>
        <translation>Unklar, zuletzt untätig</translation>
    </message>
    <message>
        <source>Cannot tell, last seen ended</source>
        <translation>Unklar, zuletzt beendet</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} s</translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation>{n} min</translation>
    </message>
    <message>
        <source>{n} h</source>
        <translation>{n} h</translation>
    </message>
    <message>
        <source>{n} d</source>
        <translation>{n} d</translation>
    </message>
    <message>
        <source>Busy, turn of {time}</source>
        <translation>Antwortet seit {time}</translation>
    </message>
    <message>
        <source>Waiting for you, {time}</source>
        <translation>Wartet auf Antwort, {time}</translation>
    </message>
    <message>
        <source>Idle {time}</source>
        <translation>Untätig seit {time}</translation>
    </message>
    <message>
        <source>Ended {time}</source>
        <translation>Beendet {time}</translation>
    </message>
    <message>
        <source>Recognised, not understood</source>
        <translation>Erkannt, nicht verstanden</translation>
    </message>
    <message>
        <source>Recognised, not understood (version {version})</source>
        <translation>Erkannt, nicht verstanden (Version {version})</translation>
    </message>
    <message>
        <source>{used} of {limit} ({share})</source>
        <translation>{used} von {limit} ({share})</translation>
    </message>
    <message>
        <source>{size} in sessions</source>
        <translation>{size} in Sitzungen</translation>
    </message>
    <message>
        <source>{size} in sessions, {can_go} can be released now</source>
        <translation>{size} in Sitzungen, {can_go} jetzt freigebbar</translation>
    </message>
    <message>
        <source>grows {size} an hour</source>
        <translation>wächst um {size} je Stunde</translation>
    </message>
    <message>
        <source>grows {size} an hour, full in {time}</source>
        <translation>wächst um {size} je Stunde, voll in {time}</translation>
    </message>
    <message>
        <source>Heap {before} → {after}</source>
        <translation>Heap {before} → {after}</translation>
    </message>
    <message>
        <source>Heap {before} → {after}; its next full collection has not come within {time}, more comes back then</source>
        <translation>Heap {before} → {after}; die nächste volle Sammlung kam nicht innerhalb von {time}, mehr kommt dann zurück</translation>
    </message>
    <message>
        <source>{sentence}, can be judged in {time}</source>
        <translation>{sentence}, Urteil möglich in {time}</translation>
    </message>
    <message>
        <source>what is kept cannot be read</source>
        <translation>was behalten wird, ist nicht lesbar</translation>
    </message>
    <message>
        <source>measuring is paused</source>
        <translation>die Messung ist pausiert</translation>
    </message>
    <message>
        <source>what an earlier run left open has not been looked at</source>
        <translation>was ein früherer Lauf offen ließ, wurde noch nicht geprüft</translation>
    </message>
    <message>
        <source>End it there, or it comes back each time</source>
        <translation>Beende es dort, sonst kommt es jedes Mal wieder</translation>
    </message>
    <message>
        <source>See the session for what it does</source>
        <translation>Was sie tut, steht bei der Sitzung</translation>
    </message>
    <message>
        <source>seen below it earlier</source>
        <translation>früher darunter gesehen</translation>
    </message>
    <message>
        <source>child of {pid}</source>
        <translation>Kind von {pid}</translation>
    </message>
    <message>
        <source>started {pid}</source>
        <translation>startete {pid}</translation>
    </message>
    <message>
        <source>agentring hosts forbid {host} {permission}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hosts that are not known: {ascii}</source>
        <translation>unbekannte Hosts: {ascii}</translation>
    </message>
    <message>
        <source>They are kept and have no effect; the hosts are {known}</source>
        <translation>Sie bleiben erhalten und wirken nicht; die Hosts sind {known}</translation>
    </message>
    <message>
        <source>Its host cannot be asked to bring it back</source>
        <translation>Der Host kann nicht gebeten werden, sie zurückzuholen</translation>
    </message>
    <message>
        <source>It runs already; nothing to bring back</source>
        <translation>Sie läuft bereits; nichts zurückzuholen</translation>
    </message>
    <message>
        <source>{title} did not answer within {resume_s} s. Look there whether the session is back</source>
        <translation>{title} antwortete nicht innerhalb von {resume_s} s. Sieh dort nach, ob die Sitzung zurück ist</translation>
    </message>
    <message>
        <source>Its adapter failed: {fault}</source>
        <translation>Der Adapter versagte: {fault}</translation>
    </message>
    <message>
        <source>There is no command to run</source>
        <translation>Es gibt keinen Befehl zum Ausführen</translation>
    </message>
    <message>
        <source>The terminal could not be started: {error}</source>
        <translation>Das Terminal konnte nicht gestartet werden: {error}</translation>
    </message>
    <message>
        <source>Its folder is not there any more: {folder}</source>
        <translation>Der Ordner ist nicht mehr da: {folder}</translation>
    </message>
    <message>
        <source>There is no screen to open a terminal on</source>
        <translation>Es gibt keinen Bildschirm für ein Terminal</translation>
    </message>
    <message>
        <source>No terminal was found. Set TERMINAL to the one that you use</source>
        <translation>Kein Terminal gefunden. Setze TERMINAL auf das, das du benutzt</translation>
    </message>
    <message>
        <source>The command holds a character that means something else to cmd</source>
        <translation>Der Befehl enthält ein Zeichen, das für cmd etwas anderes bedeutet</translation>
    </message>
    <message>
        <source>{version} on Python {value}, {platform}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>own cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} ms CPU for the last look, two looks took {took_s} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not run now</source>
        <translation>läuft gerade nicht</translation>
    </message>
    <message>
        <source>Its memory is counted, its states are not known; nothing of it is released.</source>
        <translation>Der Speicher wird gezählt, die Zustände sind unbekannt; nichts davon wird freigegeben.</translation>
    </message>
    <message>
        <source>this system tells resident sizes only</source>
        <translation>dieses System nennt nur residente Größen</translation>
    </message>
    <message>
        <source>Sums are upper bounds and are marked so.</source>
        <translation>Summen sind Obergrenzen und so gekennzeichnet.</translation>
    </message>
    <message>
        <source>the {footprint_metric} of {unread} of {held} groups could not be read</source>
        <translation>{footprint_metric} von {unread} der {held} Gruppen war nicht lesbar</translation>
    </message>
    <message>
        <source>Their resident size is shown instead, as an upper bound.</source>
        <translation>Stattdessen wird ihre residente Größe als Obergrenze gezeigt.</translation>
    </message>
    <message>
        <source>measured as {footprint_metric}</source>
        <translation>gemessen als {footprint_metric}</translation>
    </message>
    <message>
        <source>{path} does not exist yet</source>
        <translation>{path} gibt es noch nicht</translation>
    </message>
    <message>
        <source>Agent Ring ended in the middle of it; what it was to end may still run, see the sessions.</source>
        <translation>Agent Ring endete mittendrin; was beendet werden sollte, läuft womöglich noch, siehe Sitzungen.</translation>
    </message>
    <message>
        <source>another program holds it for longer than {wait_s} s</source>
        <translation>ein anderes Programm hält es länger als {wait_s} s</translation>
    </message>
    <message>
        <source>Heap of {title}</source>
        <translation>Heap von {title}</translation>
    </message>
    <message>
        <source>Limit of {title}</source>
        <translation>Limit von {title}</translation>
    </message>
    <message>
        <source>measured_ms, samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a pack of samples is damaged</source>
        <translation>ein Paket von Messwerten ist beschädigt</translation>
    </message>
    <message>
        <source>the clock was set back by more than a day</source>
        <translation>die Uhr wurde um mehr als einen Tag zurückgestellt</translation>
    </message>
    <message>
        <source>another Agent Ring records into this history</source>
        <translation>ein anderer Agent Ring zeichnet in diesen Verlauf auf</translation>
    </message>
    <message>
        <source>Nothing is lost, its measurements are shown here too; end one of the two</source>
        <translation>Nichts geht verloren, dessen Messwerte stehen auch hier; beende einen von beiden</translation>
    </message>
    <message>
        <source>the history could not be continued ({why}) and was set aside as {name}</source>
        <translation>der Verlauf konnte nicht fortgesetzt werden ({why}) und wurde als {name} beiseitegelegt</translation>
    </message>
    <message>
        <source>A new one was begun; delete the old file when you do not need it</source>
        <translation>Ein neuer wurde begonnen; lösche die alte Datei, wenn du sie nicht brauchst</translation>
    </message>
    <message>
        <source>measurements cannot be recorded ({error})</source>
        <translation>Messwerte können nicht aufgezeichnet werden ({error})</translation>
    </message>
    <message>
        <source>Make room or allow writing there; recording goes on by itself, measuring never stopped</source>
        <translation>Schaffe Platz oder erlaube dort das Schreiben; die Aufzeichnung geht von selbst weiter, gemessen wird weiterhin</translation>
    </message>
    <message>
        <source>no turn has begun yet</source>
        <translation>noch hat keine Antwort begonnen</translation>
    </message>
    <message>
        <source>the agent's</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tool's: its call has no result yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the user's: it asked something</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the user's</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing required field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starts its program</source>
        <translation>startet sein Programm</translation>
    </message>
    <message>
        <source>It asks for a permission</source>
        <translation>Sie bittet um eine Erlaubnis</translation>
    </message>
    <message>
        <source>Its notice: {value}</source>
        <translation>Ihr Hinweis: {value}</translation>
    </message>
    <message>
        <source>A turn is open: nothing came after the last message or tool result</source>
        <translation>Eine Antwort läuft noch: nach der letzten Nachricht oder dem letzten Werkzeugergebnis kam nichts</translation>
    </message>
    <message>
        <source>The log does not tell whether the turn ended</source>
        <translation>Das Log verrät nicht, ob die Antwort beendet ist</translation>
    </message>
    <message>
        <source>It will wake up by itself{due}</source>
        <translation>Wacht von selbst wieder auf{due}</translation>
    </message>
    <message>
        <source>[Request interrupted by user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without id {calls}</source>
        <translation>ohne ID {calls}</translation>
    </message>
    <message>
        <source>{who} is asked to end</source>
        <translation>{who} wird gebeten, sich zu beenden</translation>
    </message>
    <message>
        <source>{who} is ended at once</source>
        <translation>{who} wird sofort beendet</translation>
    </message>
    <message>
        <source>Claude Code is asked to stop the session</source>
        <translation>Claude Code wird gebeten, die Sitzung zu beenden</translation>
    </message>
    <message>
        <source>Claude Code says it is idle</source>
        <translation>Claude Code meldet sie als untätig</translation>
    </message>
    <message>
        <source>Claude Code says a turn is running</source>
        <translation>Claude Code meldet eine laufende Antwort</translation>
    </message>
    <message>
        <source>Claude Code says it waits for you</source>
        <translation>Claude Code meldet, dass sie auf dich wartet</translation>
    </message>
    <message>
        <source>Claude Code says a background shell still runs</source>
        <translation>Claude Code meldet eine laufende Shell im Hintergrund</translation>
    </message>
    <message>
        <source>Claude Code offers no “{name}” for this session</source>
        <translation>Claude Code bietet „{name}“ für diese Sitzung nicht an</translation>
    </message>
    <message>
        <source>its session record, read earlier</source>
        <translation>Sitzungsdatei, früher gelesen</translation>
    </message>
    <message>
        <source>its session record</source>
        <translation>Sitzungsdatei</translation>
    </message>
    <message>
        <source>the session record cannot be read ({fault})</source>
        <translation>die Sitzungsdatei kann nicht gelesen werden ({fault})</translation>
    </message>
    <message>
        <source>Restart that session</source>
        <translation>Starte diese Sitzung neu</translation>
    </message>
    <message>
        <source>session record</source>
        <translation>Sitzungsdatei</translation>
    </message>
    <message>
        <source>process {pid}</source>
        <translation>Prozess {pid}</translation>
    </message>
    <message>
        <source>its session record, which is not understood</source>
        <translation>Sitzungsdatei, die nicht verstanden wird</translation>
    </message>
    <message>
        <source>the daemon's roster</source>
        <translation>Liste des Daemons</translation>
    </message>
    <message>
        <source>handed over by a background session</source>
        <translation>von einer Hintergrundsitzung übergeben</translation>
    </message>
    <message>
        <source>the one log begun since, in its folder</source>
        <translation>das einzige seither begonnene Log, in seinem Ordner</translation>
    </message>
    <message>
        <source>its session record, and its newer log</source>
        <translation>Sitzungsdatei und neueres Log</translation>
    </message>
    <message>
        <source>its program; two newer logs could be its own</source>
        <translation>sein Programm; zwei neuere Logs kommen infrage</translation>
    </message>
    <message>
        <source>a team-mate of the session</source>
        <translation>ein Teammitglied der Sitzung</translation>
    </message>
    <message>
        <source>runs the session</source>
        <translation>führt die Sitzung aus</translation>
    </message>
    <message>
        <source>started by the session's process</source>
        <translation>vom Prozess der Sitzung gestartet</translation>
    </message>
    <message>
        <source>The team-mate {name} waits for you</source>
        <translation>Das Teammitglied {name} wartet auf dich</translation>
    </message>
    <message>
        <source>The team-mate {name} works</source>
        <translation>Das Teammitglied {name} arbeitet</translation>
    </message>
    <message>
        <source>What the team-mate {name} does cannot be told</source>
        <translation>Was das Teammitglied {name} tut, ist unklar</translation>
    </message>
    <message>
        <source>Its session record cannot be read</source>
        <translation>Die Sitzungsdatei kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>Claude Code says it waits for you: {waiting_for}</source>
        <translation>Claude Code meldet, dass sie auf dich wartet: {waiting_for}</translation>
    </message>
    <message>
        <source>subagent log</source>
        <translation>Log des Subagenten</translation>
    </message>
    <message>
        <source>the log cannot be read ({fault})</source>
        <translation>das Log kann nicht gelesen werden ({fault})</translation>
    </message>
    <message>
        <source>1 line is</source>
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
        <translation>der Ordner kann nicht gelesen werden ({fault})</translation>
    </message>
    <message>
        <source>cannot be looked at ({fault})</source>
        <translation>kann nicht untersucht werden ({fault})</translation>
    </message>
    <message>
        <source>cannot be read ({fault})</source>
        <translation>kann nicht gelesen werden ({fault})</translation>
    </message>
    <message>
        <source>Background sessions may be shown incompletely</source>
        <translation>Hintergrundsitzungen sind womöglich unvollständig</translation>
    </message>
    <message>
        <source>session record of process {pid}</source>
        <translation>Sitzungsdatei von Prozess {pid}</translation>
    </message>
    <message>
        <source>no complete JSON record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} could not be started: {fault}</source>
        <translation>{value} konnte nicht gestartet werden: {fault}</translation>
    </message>
    <message>
        <source>{value} {value2} did not answer within {timeout_s} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept ready for the next background session</source>
        <translation>für die nächste Hintergrundsitzung bereitgehalten</translation>
    </message>
    <message>
        <source>its program, run as part of the host</source>
        <translation>sein Programm, als Teil des Hosts ausgeführt</translation>
    </message>
    <message>
        <source>an MCP server for another program</source>
        <translation>ein MCP-Server für ein anderes Programm</translation>
    </message>
    <message>
        <source>a command of the host</source>
        <translation>ein Befehl des Hosts</translation>
    </message>
    <message>
        <source>its program with all tools off</source>
        <translation>sein Programm ohne Werkzeuge</translation>
    </message>
    <message>
        <source>its program, forked from another session</source>
        <translation>sein Programm, von einer anderen Sitzung abgezweigt</translation>
    </message>
    <message>
        <source>{flag} in its arguments</source>
        <translation>{flag} in den Argumenten</translation>
    </message>
    <message>
        <source>the session variable that it inherited</source>
        <translation>die geerbte Sitzungsvariable</translation>
    </message>
    <message>
        <source>its session file</source>
        <translation>seine Sitzungsdatei</translation>
    </message>
    <message>
        <source>the session of its folder that the hub runs</source>
        <translation>die Sitzung seines Ordners, die der Hub ausführt</translation>
    </message>
    <message>
        <source>session file</source>
        <translation>Sitzungsdatei</translation>
    </message>
    <message>
        <source>the hub for all terminals</source>
        <translation>der Hub für alle Terminals</translation>
    </message>
    <message>
        <source>That is not offered any more. Look again</source>
        <translation>Das wird nicht mehr angeboten. Sieh erneut nach</translation>
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
        <translation>bereits weg</translation>
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
        <translation>{strange} der Einträge werden nicht verstanden</translation>
    </message>
    <message>
        <source>cannot be read ({value})</source>
        <translation>kann nicht gelesen werden ({value})</translation>
    </message>
    <message>
        <source>is no list of sessions</source>
        <translation>ist keine Liste von Sitzungen</translation>
    </message>
    <message>
        <source>If this stays, restart Codeman, which writes it anew</source>
        <translation>Bleibt es dabei, starte Codeman neu, das schreibt es neu</translation>
    </message>
    <message>
        <source>Nothing was written in its terminal since</source>
        <translation>Seither wurde im Terminal nichts geschrieben</translation>
    </message>
    <message>
        <source>The server saw no output since</source>
        <translation>Seither sah der Server keine Ausgabe</translation>
    </message>
    <message>
        <source>The server saw no output since it came back</source>
        <translation>Seit er zurück ist, sah der Server keine Ausgabe</translation>
    </message>
    <message>
        <source>Nothing came into its log since</source>
        <translation>Seither kam nichts ins Log</translation>
    </message>
    <message>
        <source>The agent's hook said that it is done</source>
        <translation>Der Hook des Agenten meldete, dass er fertig ist</translation>
    </message>
    <message>
        <source>Codeman says idle, which alone proves nothing</source>
        <translation>Codeman meldet untätig, was allein nichts beweist</translation>
    </message>
    <message>
        <source>Codeman says {value}</source>
        <translation>Codeman meldet {value}</translation>
    </message>
    <message>
        <source>Codeman says busy, but for half an hour nothing was written: its status is stuck</source>
        <translation>Codeman meldet beschäftigt, doch seit einer halben Stunde wurde nichts geschrieben: Der Zustand hängt</translation>
    </message>
    <message>
        <source>Codeman says busy</source>
        <translation>Codeman meldet beschäftigt</translation>
    </message>
    <message>
        <source>It is a shell, in which somebody may be at work</source>
        <translation>Es ist eine Shell, in der jemand arbeiten könnte</translation>
    </message>
    <message>
        <source>It is open in a terminal besides Codeman's own</source>
        <translation>Ist außer in Codeman auch in einem Terminal geöffnet</translation>
    </message>
    <message>
        <source>It waits for your approval in Codeman</source>
        <translation>Wartet in Codeman auf deine Zustimmung</translation>
    </message>
    <message>
        <source>Codeman gives it new work by itself (respawn is on)</source>
        <translation>Codeman gibt ihr von selbst neue Arbeit (Respawn ist an)</translation>
    </message>
    <message>
        <source>It goes on by itself (a Ralph loop is active)</source>
        <translation>Sie macht von selbst weiter (eine Ralph-Schleife ist aktiv)</translation>
    </message>
    <message>
        <source>A task of it is running</source>
        <translation>Eine Aufgabe davon läuft</translation>
    </message>
    <message>
        <source>{running} tasks of it are running</source>
        <translation>{running} Aufgaben davon laufen</translation>
    </message>
    <message>
        <source>It works on a task of Codeman's queue</source>
        <translation>Sie arbeitet an einer Aufgabe aus Codemans Warteschlange</translation>
    </message>
    <message>
        <source>{active} subagents are at work</source>
        <translation>{active} Subagenten arbeiten</translation>
    </message>
    <message>
        <source>A scheduled run of Codeman uses it</source>
        <translation>Ein geplanter Lauf von Codeman nutzt sie</translation>
    </message>
    <message>
        <source>A scheduled run of Codeman is at work in its folder</source>
        <translation>Ein geplanter Lauf von Codeman arbeitet in ihrem Ordner</translation>
    </message>
    <message>
        <source>Codeman is asked to close the session</source>
        <translation>Codeman wird gebeten, die Sitzung zu schließen</translation>
    </message>
    <message>
        <source>Codeman is asked to take it off its list</source>
        <translation>Codeman wird gebeten, sie von der Liste zu nehmen</translation>
    </message>
    <message>
        <source>The agent (Codeman, which does not run, will list the session until it is closed there)</source>
        <translation>Der Agent (Codeman läuft nicht und listet die Sitzung, bis sie dort geschlossen wird)</translation>
    </message>
    <message>
        <source>Codeman starts it again, as a new session with the same conversation</source>
        <translation>Codeman startet sie neu, als neue Sitzung mit derselben Unterhaltung</translation>
    </message>
    <message>
        <source>Codeman starts it again; no log of its conversation was found, so it may begin anew</source>
        <translation>Codeman startet sie neu; ohne gefundenes Log beginnt sie womöglich von vorn</translation>
    </message>
    <message>
        <source>Its agent runs on another computer, so Agent Ring leaves it alone</source>
        <translation>Der Agent läuft auf einem anderen Computer, daher lässt Agent Ring ihn in Ruhe</translation>
    </message>
    <message>
        <source>Its agent runs in a container, so Agent Ring leaves it alone</source>
        <translation>Der Agent läuft in einem Container, daher lässt Agent Ring ihn in Ruhe</translation>
    </message>
    <message>
        <source>It belongs to another user of Codeman, so Agent Ring leaves it alone</source>
        <translation>Sie gehört einem anderen Benutzer von Codeman, daher lässt Agent Ring sie in Ruhe</translation>
    </message>
    <message>
        <source>Its log cannot be read ({log_fault})</source>
        <translation>Das Log kann nicht gelesen werden ({log_fault})</translation>
    </message>
    <message>
        <source>Codeman runs it for one task and waits for its answer</source>
        <translation>Codeman nutzt sie für eine Aufgabe und wartet auf die Antwort</translation>
    </message>
    <message>
        <source>What started it is gone, and nothing can reach it any more</source>
        <translation>Wer es gestartet hat, ist weg, und nichts erreicht es mehr</translation>
    </message>
    <message>
        <source>What Codeman says is old: {what}</source>
        <translation>Was Codeman meldet, ist alt: {what}</translation>
    </message>
    <message>
        <source>Its pane is gone, so Codeman cannot reach its agent any more</source>
        <translation>Das Fenster ist weg, Codeman erreicht den Agenten nicht mehr</translation>
    </message>
    <message>
        <source>What Codeman says of it is not known: {what}</source>
        <translation>Was Codeman dazu meldet, ist unbekannt: {what}</translation>
    </message>
    <message>
        <source>Codeman has let go of it and still keeps it in tmux</source>
        <translation>Codeman hat sie losgelassen und hält sie noch in tmux</translation>
    </message>
    <message>
        <source>Codeman does not list it; that is looked at once more</source>
        <translation>Codeman listet sie nicht; das wird noch einmal geprüft</translation>
    </message>
    <message>
        <source>Codeman's server does not run; the session lives on in tmux</source>
        <translation>Codemans Server läuft nicht; die Sitzung lebt in tmux weiter</translation>
    </message>
    <message>
        <source>{down}, and a shell there would start its agent again. Start Codeman to release it</source>
        <translation>{down}, und eine Shell dort würde den Agenten neu starten. Starte Codeman, um sie freizugeben</translation>
    </message>
    <message>
        <source>{down}. Start Codeman to release it</source>
        <translation>{down}. Starte Codeman, um sie freizugeben</translation>
    </message>
    <message>
        <source>Its program has ended{word}; Codeman still lists it</source>
        <translation>Das Programm ist beendet{word}; Codeman listet es noch</translation>
    </message>
    <message>
        <source>Nothing runs in it; Codeman lists it</source>
        <translation>Darin läuft nichts; Codeman listet sie</translation>
    </message>
    <message>
        <source>Start it again in Codeman, in this folder</source>
        <translation>Starte sie in Codeman neu, in diesem Ordner</translation>
    </message>
    <message>
        <source>started by its server for one task</source>
        <translation>vom Server für eine Aufgabe gestartet</translation>
    </message>
    <message>
        <source>the agent's variables, in a pane of tmux</source>
        <translation>Variablen des Agenten, in einem tmux-Fenster</translation>
    </message>
    <message>
        <source>starts the agent, and stays above it</source>
        <translation>startet den Agenten und bleibt darüber</translation>
    </message>
    <message>
        <source>the agent's variables, below the shell of a pane</source>
        <translation>Variablen des Agenten, unter der Shell eines Fensters</translation>
    </message>
    <message>
        <source>the agent's variables; nothing is above it any more</source>
        <translation>Variablen des Agenten; nichts steht mehr darüber</translation>
    </message>
    <message>
        <source>a further pane of its tmux session</source>
        <translation>ein weiteres Fenster der tmux-Sitzung</translation>
    </message>
    <message>
        <source>the pane of its tmux session</source>
        <translation>das Fenster der tmux-Sitzung</translation>
    </message>
    <message>
        <source>its server's client of tmux</source>
        <translation>tmux-Client des Servers</translation>
    </message>
    <message>
        <source>a check of its own, in a tmux session of its own</source>
        <translation>eine eigene Prüfung, in eigener tmux-Sitzung</translation>
    </message>
    <message>
        <source>a tmux server with nothing but its sessions</source>
        <translation>ein tmux-Server nur mit seinen Sitzungen</translation>
    </message>
    <message>
        <source>its server</source>
        <translation>sein Server</translation>
    </message>
    <message>
        <source>its tmux server</source>
        <translation>sein tmux-Server</translation>
    </message>
    <message>
        <source>a view on a session of its own</source>
        <translation>eine Ansicht einer eigenen Sitzung</translation>
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
        <translation>Codeman bietet „{name}“ für diese Sitzung nicht an</translation>
    </message>
    <message>
        <source>Codeman did not close it: {what}. Close it in Codeman</source>
        <translation>Codeman hat sie nicht geschlossen: {what}. Schließe sie in Codeman</translation>
    </message>
    <message>
        <source>It runs again by now</source>
        <translation>Läuft inzwischen wieder</translation>
    </message>
    <message>
        <source>Its log cannot be read any more ({value})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It works by now: {works}</source>
        <translation>Arbeitet inzwischen: {works}</translation>
    </message>
    <message>
        <source>Something was written in its terminal since it was looked at. Look again</source>
        <translation>Seit dem Nachsehen wurde im Terminal etwas geschrieben. Sieh erneut nach</translation>
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
        <translation>sein Daemon</translation>
    </message>
    <message>
        <source>its daemon's own list</source>
        <translation>eigene Liste des Daemons</translation>
    </message>
    <message>
        <source>a view on the daemon</source>
        <translation>eine Ansicht des Daemons</translation>
    </message>
    <message>
        <source>its log, which it holds open</source>
        <translation>sein Log, das er offen hält</translation>
    </message>
    <message>
        <source>the session variable of its tools</source>
        <translation>Sitzungsvariable seiner Werkzeuge</translation>
    </message>
    <message>
        <source>started in a group of its own, without a session's variable</source>
        <translation>in eigener Gruppe gestartet, ohne Sitzungsvariable</translation>
    </message>
    <message>
        <source>the daemon for all terminals</source>
        <translation>der Daemon für alle Terminals</translation>
    </message>
    <message>
        <source>an adapter for editors</source>
        <translation>ein Adapter für Editoren</translation>
    </message>
    <message>
        <source>a part of it</source>
        <translation>ein Teil davon</translation>
    </message>
    <message>
        <source>its desktop app</source>
        <translation>seine Desktop-App</translation>
    </message>
    <message>
        <source>a view on a server</source>
        <translation>eine Ansicht eines Servers</translation>
    </message>
    <message>
        <source>resume in its arguments</source>
        <translation>resume in den Argumenten</translation>
    </message>
    <message>
        <source>part of the host</source>
        <translation>Teil des Hosts</translation>
    </message>
    <message>
        <source>its server for one client</source>
        <translation>sein Server für einen Client</translation>
    </message>
    <message>
        <source>its lock</source>
        <translation>seine Sperre</translation>
    </message>
    <message>
        <source>list of open sessions</source>
        <translation>Liste offener Sitzungen</translation>
    </message>
    <message>
        <source>Craft Agents offers no “{name}” for this session</source>
        <translation>Craft Agents bietet „{name}“ für diese Sitzung nicht an</translation>
    </message>
    <message>
        <source>Nothing is put into Craft Agents. Look again before you agree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the id of its session's record: certain</source>
        <translation>ID der Sitzungsdatei: sicher</translation>
    </message>
    <message>
        <source>no session on disk has that id</source>
        <translation>keine Sitzung auf dem Datenträger hat diese ID</translation>
    </message>
    <message>
        <source>started by its server; nothing tells for which session</source>
        <translation>vom Server gestartet; nichts sagt, für welche Sitzung</translation>
    </message>
    <message>
        <source>it runs in its session's own folder: certain</source>
        <translation>läuft im eigenen Ordner der Sitzung: sicher</translation>
    </message>
    <message>
        <source>{session_dir}, and it runs in that session's folder: nearly certain</source>
        <translation>{session_dir}, und es läuft in deren Ordner: fast sicher</translation>
    </message>
    <message>
        <source>its folder, and its log begins with it: nearly certain</source>
        <translation>der Ordner, und das Log beginnt damit: fast sicher</translation>
    </message>
    <message>
        <source>its folder, and the nearest first message: likely</source>
        <translation>der Ordner und die nächste erste Nachricht: wahrscheinlich</translation>
    </message>
    <message>
        <source>, as with another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a short question, begun together with its session's agent</source>
        <translation>eine kurze Frage, zusammen mit dem Agenten der Sitzung begonnen</translation>
    </message>
    <message>
        <source>a short question; {session_dir} may name another session</source>
        <translation>eine kurze Frage; {session_dir} nennt womöglich eine andere Sitzung</translation>
    </message>
    <message>
        <source>its server is gone; {session_dir} may name another session</source>
        <translation>der Server ist weg; {session_dir} nennt womöglich eine andere Sitzung</translation>
    </message>
    <message>
        <source>run by its session's agent under its own name</source>
        <translation>vom Agenten der Sitzung unter eigenem Namen ausgeführt</translation>
    </message>
    <message>
        <source>it started the helpers of this session</source>
        <translation>hat die Helfer dieser Sitzung gestartet</translation>
    </message>
    <message>
        <source>a helper of its server that no source of a workspace starts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source “{slug}”, {why}</source>
        <translation>Quelle „{slug}“, {why}</translation>
    </message>
    <message>
        <source>{session_dir}, and begun just before its backend: nearly certain</source>
        <translation>{session_dir}, und kurz vor dem Backend begonnen: fast sicher</translation>
    </message>
    <message>
        <source>{session_dir}, and begun with its first message: nearly certain</source>
        <translation>{session_dir}, und mit der ersten Nachricht begonnen: fast sicher</translation>
    </message>
    <message>
        <source>source “{slug}” and {session_dir} alone: likely</source>
        <translation>Quelle „{slug}“ und nur {session_dir}: wahrscheinlich</translation>
    </message>
    <message>
        <source>source “{slug}”, and no other session is without a helper of it: likely</source>
        <translation>Quelle „{slug}“, und keine andere Sitzung ist ohne Helfer davon: wahrscheinlich</translation>
    </message>
    <message>
        <source>source “{slug}”, and every session that uses it has its own helper</source>
        <translation>Quelle „{slug}“, und jede Sitzung, die sie nutzt, hat ihren eigenen Helfer</translation>
    </message>
    <message>
        <source>source “{slug}”, which no session has switched on: left over, from which cannot be told</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source “{slug}”, which it alone uses; more of its helpers run than it needs</source>
        <translation>Quelle „{slug}“, die nur sie nutzt; es laufen mehr Helfer davon als nötig</translation>
    </message>
    <message>
        <source>source “{slug}”, which several sessions use; it cannot be told which: not certain</source>
        <translation>Quelle „{slug}“, die mehrere Sitzungen nutzen; welche es ist, lässt sich nicht sagen: unsicher</translation>
    </message>
    <message>
        <source>its session was deleted; {why}</source>
        <translation>die Sitzung wurde gelöscht; {why}</translation>
    </message>
    <message>
        <source>has a first line that is no session's header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not there</source>
        <translation>ist nicht da</translation>
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
        <source>Its session folder was deleted</source>
        <translation>Der Sitzungsordner wurde gelöscht</translation>
    </message>
    <message>
        <source>Its session record {fault}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its agent's log cannot be read</source>
        <translation>Das Log des Agenten kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>Its agent's log is not found, so that background agents could not be seen</source>
        <translation>Das Log des Agenten fehlt, Hintergrundagenten wären nicht zu sehen</translation>
    </message>
    <message>
        <source>Its server says that a turn runs</source>
        <translation>Der Server meldet eine laufende Antwort</translation>
    </message>
    <message>
        <source>No backend of it runs; this was its last message</source>
        <translation>Kein Backend davon läuft; dies war die letzte Nachricht</translation>
    </message>
    <message>
        <source>Its server said that no turn runs, before that</source>
        <translation>Davor meldete der Server, dass keine Antwort läuft</translation>
    </message>
    <message>
        <source>Its server says that no turn runs</source>
        <translation>Der Server meldet, dass keine Antwort läuft</translation>
    </message>
    <message>
        <source>This was its last message</source>
        <translation>Dies war die letzte Nachricht</translation>
    </message>
    <message>
        <source>Its last message was cut off before this backend began</source>
        <translation>Die letzte Nachricht brach ab, bevor dieses Backend begann</translation>
    </message>
    <message>
        <source>Its last message has no answer yet</source>
        <translation>Die letzte Nachricht hat noch keine Antwort</translation>
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
        <source>{found}; asked at {url}</source>
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
        <translation>Den Server fragen, welche Sitzungen arbeiten</translation>
    </message>
    <message>
        <source>sign in to that server with it, on this computer, and ask for the list of sessions every 10 s at most</source>
        <translation>sich mit dem Token auf diesem Computer beim Server anmelden und höchstens alle 10 s die Liste der Sitzungen abfragen</translation>
    </message>
    <message>
        <source>The token stays in memory: it is not stored, shown, logged or exported.</source>
        <translation>Das Token bleibt im Arbeitsspeicher: nicht gespeichert, gezeigt, protokolliert oder exportiert.</translation>
    </message>
    <message>
        <source>It would let its holder do all that you can do there. Agent Ring reads no message and deletes nothing.</source>
        <translation>Wer es hat, könnte dort alles tun, was du kannst. Agent Ring liest keine Nachricht und löscht nichts.</translation>
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
        <translation>Das Backend der Sitzung</translation>
    </message>
    <message>
        <source>Its server is asked to let go of it</source>
        <translation>Der Server wird gebeten, sie loszulassen</translation>
    </message>
    <message>
        <source>Its server is asked to close its helpers</source>
        <translation>Der Server wird gebeten, die Helfer zu schließen</translation>
    </message>
    <message>
        <source>Its next message starts it again, with its history</source>
        <translation>Die nächste Nachricht startet sie wieder, mit Verlauf</translation>
    </message>
    <message>
        <source>its server cannot be asked now</source>
        <translation>der Server kann gerade nicht gefragt werden</translation>
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
        <source>let go by {release_channel}</source>
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
        <translation>inzwischen läuft darin eine Antwort</translation>
    </message>
    <message>
        <source>it got a message just now</source>
        <translation>sie bekam eben eine Nachricht</translation>
    </message>
    <message>
        <source>{comes_back}; its sources have to be switched on again: {closed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} offers no “{name}” for this session</source>
        <translation>{title} bietet „{name}“ für diese Sitzung nicht an</translation>
    </message>
    <message>
        <source>a part of its program</source>
        <translation>ein Teil des Programms</translation>
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
        <translation>Log oder Sitzungsdatei kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>{title} is asked to end the session</source>
        <translation>{title} wird gebeten, die Sitzung zu beenden</translation>
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
        <source>a view on its server</source>
        <translation>eine Ansicht des Servers</translation>
    </message>
    <message>
        <source>a helper of the host</source>
        <translation>ein Helfer des Hosts</translation>
    </message>
    <message>
        <source>kept ready for the next session</source>
        <translation>für die nächste Sitzung bereitgehalten</translation>
    </message>
    <message>
        <source>{name} in its environment</source>
        <translation>{name} in der Umgebung</translation>
    </message>
    <message>
        <source>the variable that it inherited</source>
        <translation>die geerbte Variable</translation>
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
        <source>{what}, and {value} more</source>
        <translation>{what} und {value} weitere</translation>
    </message>
    <message>
        <source>{mend}; `agentring hosts check {path}` tells all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check its size and permissions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is no UTF-8</source>
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
        <translation>das Plugin im Host</translation>
    </message>
    <message>
        <source>its host's cache on disk</source>
        <translation>Zwischenspeicher des Hosts auf dem Datenträger</translation>
    </message>
    <message>
        <source>agentring hosts dsh install-plugin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It needs the plugin to be released: `{install}` puts it into its host</source>
        <translation>Für die Freigabe braucht es das Plugin: `{install}` installiert es im Host</translation>
    </message>
    <message>
        <source>Its host is asked to unload it</source>
        <translation>Der Host wird gebeten, sie zu entladen</translation>
    </message>
    <message>
        <source>a background job of it runs</source>
        <translation>ein Hintergrundauftrag davon läuft</translation>
    </message>
    <message>
        <source>it has a schedule that is still to run</source>
        <translation>ein Zeitplan davon steht noch aus</translation>
    </message>
    <message>
        <source>a terminal of it is open, which would be killed</source>
        <translation>ein Terminal davon ist offen und würde beendet</translation>
    </message>
    <message>
        <source>it is open in a view, which would hold its memory</source>
        <translation>sie ist in einer Ansicht geöffnet, die den Speicher halten würde</translation>
    </message>
    <message>
        <source>input waits in it that it has not taken up</source>
        <translation>darin wartet noch nicht übernommene Eingabe</translation>
    </message>
    <message>
        <source>this version of the host offers the plugin no way to unload it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DSH offers no “{name}” for this session</source>
        <translation>DSH bietet „{name}“ für diese Sitzung nicht an</translation>
    </message>
    <message>
        <source>its host refuses: {reasons}</source>
        <translation>der Host lehnt ab: {reasons}</translation>
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
        <translation>Sperre des Logs, die er offen hält</translation>
    </message>
    <message>
        <source>its host's own list</source>
        <translation>eigene Liste des Hosts</translation>
    </message>
    <message>
        <source>started by its host for all sessions</source>
        <translation>vom Host für alle Sitzungen gestartet</translation>
    </message>
    <message>
        <source>The program that started it is attached to it</source>
        <translation>Das startende Programm ist damit verbunden</translation>
    </message>
    <message>
        <source>Its history is on disk, DSH lists it</source>
        <translation>Der Verlauf liegt auf dem Datenträger, DSH listet sie</translation>
    </message>
    <message>
        <source>This version of its host offers the plugin no way to release it</source>
        <translation>Diese Version des Hosts bietet dem Plugin keinen Weg zur Freigabe</translation>
    </message>
    <message>
        <source>Its host would refuse: {value}</source>
        <translation>Der Host würde ablehnen: {value}</translation>
    </message>
    <message>
        <source>A turn is open: its host says that it runs</source>
        <translation>Eine Antwort läuft noch: der Host meldet sie als aktiv</translation>
    </message>
    <message>
        <source>{working} subagents are at work</source>
        <translation>{working} Subagenten arbeiten</translation>
    </message>
    <message>
        <source>A background job runs: {value}</source>
        <translation>Ein Hintergrundauftrag läuft: {value}</translation>
    </message>
    <message>
        <source>A background job runs</source>
        <translation>Ein Hintergrundauftrag läuft</translation>
    </message>
    <message>
        <source>A schedule of it is still to run</source>
        <translation>Ein Zeitplan davon steht noch aus</translation>
    </message>
    <message>
        <source>A terminal of it is open in its host</source>
        <translation>Ein Terminal davon ist im Host offen</translation>
    </message>
    <message>
        <source>It is open in a view of its host</source>
        <translation>Ist in einer Ansicht des Hosts geöffnet</translation>
    </message>
    <message>
        <source>Input waits in it that it has not taken up</source>
        <translation>Darin wartet noch nicht übernommene Eingabe</translation>
    </message>
    <message>
        <source>Its host says that it is idle</source>
        <translation>Der Host meldet sie als untätig</translation>
    </message>
    <message>
        <source>The plugin cannot be asked: {what}</source>
        <translation>Das Plugin kann nicht gefragt werden: {what}</translation>
    </message>
    <message>
        <source>Nothing on disk tells what it is doing</source>
        <translation>Nichts auf dem Datenträger sagt, was sie tut</translation>
    </message>
    <message>
        <source>No prompt was sent to it yet</source>
        <translation>Ihr wurde noch kein Prompt gesendet</translation>
    </message>
    <message>
        <source>it holds {sessions} live sessions, of which {sessions_limit} are shown</source>
        <translation>er hält {sessions} aktive Sitzungen, davon werden {sessions_limit} gezeigt</translation>
    </message>
    <message>
        <source>Release some, or restart it when nothing runs</source>
        <translation>Gib einige frei oder starte ihn neu, wenn nichts läuft</translation>
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
        <translation>Bleibt es dabei, starte DSH neu oder installiere das Plugin erneut</translation>
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
        <translation>Sie bleibt in DSH gelistet{place}; Öffnen oder der nächste Prompt weckt sie</translation>
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
        <source>heap {used_bytes} of {limit_bytes}</source>
        <translation>Heap {used_bytes} von {limit_bytes}</translation>
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
        <source>Profile “{profile}”</source>
        <translation>Profil „{profile}“</translation>
    </message>
    <message>
        <source>Profile “{profile}” in {home}</source>
        <translation>Profil „{profile}“ in {home}</translation>
    </message>
    <message>
        <source>{where}: {value}. Nothing else was changed</source>
        <translation>{where}: {value}. Sonst wurde nichts geändert</translation>
    </message>
    <message>
        <source>The plugin is missing from this installation. Install Agent Ring again</source>
        <translation>Das Plugin fehlt in dieser Installation. Installiere Agent Ring neu</translation>
    </message>
    <message>
        <source>DSH profile {name}</source>
        <translation>DSH-Profil {name}</translation>
    </message>
    <message>
        <source>cannot tell whether the plugin is installed: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See docs/hosts.md</source>
        <translation>Siehe docs/hosts.md</translation>
    </message>
    <message>
        <source>the plugin is not installed in {folder}</source>
        <translation>das Plugin ist in {folder} nicht installiert</translation>
    </message>
    <message>
        <source>the plugin is installed, but {folder} is gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the plugin {version} is installed by {value} in {folder}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, this program brings {version}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plugin is in {folder} by {value} already. Remove it first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copy the plugin {version} to {target}</source>
        <translation>das Plugin {version} nach {target} kopieren</translation>
    </message>
    <message>
        <source>delete the plugin's files in {data}</source>
        <translation>die Dateien des Plugins in {data} löschen</translation>
    </message>
    <message>
        <source>take our row out of {path}, nothing else of it</source>
        <translation>unsere Zeile aus {path} entfernen, sonst nichts</translation>
    </message>
    <message>
        <source>keep a copy of {path} beside it as {backup_name}</source>
        <translation>eine Kopie von {path} daneben als {backup_name} ablegen</translation>
    </message>
    <message>
        <source>write one row “agentring” into {path}, which names {module}</source>
        <translation>eine Zeile „agentring“ in {path} schreiben, die {module} nennt</translation>
    </message>
    <message>
        <source>A DSH that runs takes it up within seconds; one older than 0.2 needs a restart</source>
        <translation>Ein laufendes DSH übernimmt es in Sekunden; älter als 0.2 braucht es einen Neustart</translation>
    </message>
    <message>
        <source>run `{line}`, which adds it to {value}</source>
        <translation>`{line}` ausführen, was es zu {value} hinzufügt</translation>
    </message>
    <message>
        <source>{where}: {value}. It is left alone</source>
        <translation>{where}: {value}. Es bleibt unangetastet</translation>
    </message>
    <message>
        <source>The host's own command was not found: `dsh` and `pnpm` must be on the PATH</source>
        <translation>Der Befehl des Hosts wurde nicht gefunden: `dsh` und `pnpm` müssen im PATH sein</translation>
    </message>
    <message>
        <source>`{line}` did not end within {command_timeout_s} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its host's own command</source>
        <translation>Befehl des Hosts</translation>
    </message>
    <message>
        <source>a row in {patch_name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is left alone: {why}. docs/hosts.md has the row to write by hand</source>
        <translation>{path} bleibt unangetastet: {why}. docs/hosts.md nennt die Zeile zum Selbstschreiben</translation>
    </message>
    <message>
        <source>{profile} is no name of a profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are {there}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no profile “{profile}” in {home}. {mend}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is no UTF-8 text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was changed meanwhile. Try again</source>
        <translation>{path} wurde inzwischen geändert. Versuche es erneut</translation>
    </message>
    <message>
        <source>{path} is read-only and left alone. Make it writable first</source>
        <translation>{path} ist schreibgeschützt und bleibt unangetastet. Mache die Datei zuerst beschreibbar</translation>
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
        <translation>sein Programm {profile}</translation>
    </message>
    <message>
        <source>its host, a child of the desktop app</source>
        <translation>sein Host, ein Kind der Desktop-App</translation>
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
        <source>the log that was written in its folder since it began</source>
        <translation>das Log, in das seit seinem Start in seinem Ordner geschrieben wurde</translation>
    </message>
    <message>
        <source>the variable that its children carry</source>
        <translation>die Variable, die seine Kinder tragen</translation>
    </message>
    <message>
        <source>its arguments are those of the configured server “{name}”</source>
        <translation>die Argumente sind die des eingerichteten Servers „{name}“</translation>
    </message>
    <message>
        <source>it is not complete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct it; until then its helpers may count as work of their session, which protects it</source>
        <translation>Berichtige sie; bis dahin zählen die Helfer womöglich als Arbeit der Sitzung, was sie schützt</translation>
    </message>
    <message>
        <source>the configuration cannot be read ({why})</source>
        <translation>die Konfiguration kann nicht gelesen werden ({why})</translation>
    </message>
    <message>
        <source>OpenCode is asked to end</source>
        <translation>OpenCode wird gebeten, sich zu beenden</translation>
    </message>
    <message>
        <source>OpenCode is asked once more to end</source>
        <translation>OpenCode wird noch einmal gebeten, sich zu beenden</translation>
    </message>
    <message>
        <source>OpenCode is ended at once</source>
        <translation>OpenCode wird sofort beendet</translation>
    </message>
    <message>
        <source>OpenCode is asked to end its helpers</source>
        <translation>OpenCode wird gebeten, seine Helfer zu beenden</translation>
    </message>
    <message>
        <source>OpenCode is asked to end this folder's helpers</source>
        <translation>OpenCode wird gebeten, die Helfer dieses Ordners zu beenden</translation>
    </message>
    <message>
        <source>OpenCode offers no “{name}” for this session</source>
        <translation>OpenCode bietet „{name}“ für diese Sitzung nicht an</translation>
    </message>
    <message>
        <source>an earlier look still reads it</source>
        <translation>ein früherer Durchgang liest noch</translation>
    </message>
    <message>
        <source>Its database cannot be read</source>
        <translation>Die Datenbank kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>the session last used in its folder since it began</source>
        <translation>die seit dem Start zuletzt in seinem Ordner benutzte Sitzung</translation>
    </message>
    <message>
        <source>its database, which is not understood</source>
        <translation>seine Datenbank, die nicht verstanden wird</translation>
    </message>
    <message>
        <source>its database</source>
        <translation>seine Datenbank</translation>
    </message>
    <message>
        <source>A turn is open: its answer is not complete</source>
        <translation>Eine Antwort läuft noch: sie ist nicht vollständig</translation>
    </message>
    <message>
        <source>the only session that its server used since it began</source>
        <translation>die einzige Sitzung, die sein Server seit dem Start nutzte</translation>
    </message>
    <message>
        <source>OpenCode cannot be asked: {fault}</source>
        <translation>OpenCode kann nicht gefragt werden: {fault}</translation>
    </message>
    <message>
        <source>It waits for a permission</source>
        <translation>Sie wartet auf eine Erlaubnis</translation>
    </message>
    <message>
        <source>Its server says that a turn runs: {value}</source>
        <translation>Der Server meldet eine laufende Antwort: {value}</translation>
    </message>
    <message>
        <source>Its server lists no running turn</source>
        <translation>Der Server nennt keine laufende Antwort</translation>
    </message>
    <message>
        <source>the database cannot be read: {what}</source>
        <translation>die Datenbank kann nicht gelesen werden: {what}</translation>
    </message>
    <message>
        <source>Sessions of terminals are shown as unknown</source>
        <translation>Sitzungen in Terminals gelten als unklar</translation>
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
        <source>NULL AS {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the variable that OpenCode's children carry</source>
        <translation>die Variable, die Kinder von OpenCode tragen</translation>
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
        <source>plug-in {name} ({value})</source>
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
        <translation>Der Heap belegt {used_bytes} von {limit_bytes}</translation>
    </message>
    <message>
        <source>It grew by {growth_bytes_per_h} an hour; so it would be full in {left}</source>
        <translation>Er wuchs um {growth_bytes_per_h} je Stunde; damit wäre er voll in {left}</translation>
    </message>
    <message>
        <source>About {releasable_bytes} of it could be released</source>
        <translation>Etwa {releasable_bytes} davon könnten freigegeben werden</translation>
    </message>
    <message>
        <source>The heap of {title} is at {heap} of its limit</source>
        <translation>Der Heap von {title} ist bei {heap} seines Limits</translation>
    </message>
    <message>
        <source>A session of {title}</source>
        <translation>Eine Sitzung von {title}</translation>
    </message>
    <message>
        <source>, in the middle of a turn</source>
        <translation>, mitten in einer Antwort</translation>
    </message>
    <message>
        <source>, in the middle of {turns} turns</source>
        <translation>, mitten in {turns} Antworten</translation>
    </message>
    <message>
        <source>{who} was ended by Agent Ring{within}</source>
        <translation>{who} wurde von Agent Ring beendet{within}</translation>
    </message>
    <message>
        <source>{who} was killed by the kernel for lack of memory{within}</source>
        <translation>{who} wurde vom Kernel wegen Speichermangels beendet{within}</translation>
    </message>
    <message>
        <source>{who} ended with its heap at {heap} of its limit{within}</source>
        <translation>{who} endete mit dem Heap bei {heap} seines Limits{within}</translation>
    </message>
    <message>
        <source>{who} crashed ({fault}){within}</source>
        <translation>{who} ist abgestürzt ({fault}){within}</translation>
    </message>
    <message>
        <source>{who} was restarted{within}</source>
        <translation>{who} wurde neu gestartet{within}</translation>
    </message>
    <message>
        <source>{who} ended{within}; nothing tells why</source>
        <translation>{who} endete{within}; nichts sagt, warum</translation>
    </message>
    <message>
        <source>A receipt names it; it was asked for from the {by_whom}</source>
        <translation>Ein Beleg nennt es; veranlasst durch {by_whom}</translation>
    </message>
    <message>
        <source>, as told {age_s} before it was last seen</source>
        <translation>, wie {age_s} vor dem letzten Blick gemeldet</translation>
    </message>
    <message>
        <source>Its heap held {used_bytes} of {limit_bytes}{told}</source>
        <translation>Der Heap belegte {used_bytes} von {limit_bytes}{told}</translation>
    </message>
    <message>
        <source>The machine slept or measuring was paused meanwhile: it ended at an unknown time within {away}</source>
        <translation>Der Computer schlief oder die Messung war pausiert: Das Ende liegt irgendwo innerhalb von {away}</translation>
    </message>
    <message>
        <source>The machine was short of memory when it was last seen ({pressure}): {free} available</source>
        <translation>Der Computer hatte beim letzten Blick wenig Speicher ({pressure}): {free} verfügbar</translation>
    </message>
    <message>
        <source>within {value}</source>
        <translation>innerhalb von {value}</translation>
    </message>
    <message>
        <source>within the gap</source>
        <translation>innerhalb der Lücke</translation>
    </message>
    <message>
        <source>Another process of the same host took its place {when}: {pid}</source>
        <translation>Ein anderer Prozess desselben Hosts nahm den Platz ein {when}: {pid}</translation>
    </message>
    <message>
        <source>It is of another version</source>
        <translation>Es ist eine andere Version</translation>
    </message>
    <message>
        <source>the limit of its control group was met</source>
        <translation>das Limit der Kontrollgruppe war erreicht</translation>
    </message>
    <message>
        <source>the machine was out of memory</source>
        <translation>dem Computer fehlte Speicher</translation>
    </message>
    <message>
        <source>, with {resident_bytes} resident</source>
        <translation>, mit {resident_bytes} resident</translation>
    </message>
    <message>
        <source>The kernel log says that it was killed{held}: {limit}</source>
        <translation>Das Kernel-Log meldet die Beendigung{held}: {limit}</translation>
    </message>
    <message>
        <source>The kernel log tells of a fault of its own: {fault}</source>
        <translation>Das Kernel-Log meldet einen eigenen Fehler: {fault}</translation>
    </message>
    <message>
        <source>The kernel log was read and does not name it</source>
        <translation>Das Kernel-Log wurde gelesen und nennt es nicht</translation>
    </message>
    <message>
        <source>The kernel log cannot be read: {unread}</source>
        <translation>Das Kernel-Log kann nicht gelesen werden: {unread}</translation>
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
        <source>It runs again, seen {after_s} s later</source>
        <translation>Läuft wieder, gesehen {after_s} s später</translation>
    </message>
    <message>
        <source>It runs again, seen {after_s} s later, started by {by}</source>
        <translation>Läuft wieder, gesehen {after_s} s später, gestartet von {by}</translation>
    </message>
    <message>
        <source>“{field}” is missing there or of another shape</source>
        <translation>„{field}“ fehlt dort oder hat eine andere Form</translation>
    </message>
    <message>
        <source>Its memory is counted, its state is not known and nothing releases it; update Agent Ring</source>
        <translation>Der Speicher wird gezählt, der Zustand ist unbekannt und nichts gibt sie frei; aktualisiere Agent Ring</translation>
    </message>
    <message>
        <source>not understood{of}: {fact}</source>
        <translation>nicht verstanden{of}: {fact}</translation>
    </message>
    <message>
        <source>no answer within {observe_timeout_s} s</source>
        <translation>keine Antwort innerhalb von {observe_timeout_s} s</translation>
    </message>
    <message>
        <source>a look failed ({name}: {error})</source>
        <translation>ein Durchgang misslang ({name}: {error})</translation>
    </message>
    <message>
        <source>It goes on; what was shown before is older.</source>
        <translation>Es geht weiter; das Gezeigte ist älter.</translation>
    </message>
    <message>
        <source>its adapter failed: {fault}</source>
        <translation>der Adapter versagte: {fault}</translation>
    </message>
    <message>
        <source>policy {name}</source>
        <translation>Regel {name}</translation>
    </message>
    <message>
        <source>Switch it on again, or `agentring policies on {name}`</source>
        <translation>Schalte sie wieder ein, oder `agentring policies on {name}`</translation>
    </message>
    <message>
        <source>It has switched itself off: what it released came back ({title})</source>
        <translation>Sie hat sich selbst abgeschaltet: Freigegebenes kam zurück ({title})</translation>
    </message>
    <message>
        <source>It has switched itself off: what it released is still there ({sentence})</source>
        <translation>Sie hat sich selbst abgeschaltet: Freigegebenes ist noch da ({sentence})</translation>
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
        <translation>Wird gebeten, sich zu beenden</translation>
    </message>
    <message>
        <source>Ended at once</source>
        <translation>Wird sofort beendet</translation>
    </message>
    <message>
        <source>Its helpers are asked to end</source>
        <translation>Die Helfer werden gebeten, sich zu beenden</translation>
    </message>
    <message>
        <source>Waiting for its helpers</source>
        <translation>Warten auf die Helfer</translation>
    </message>
    <message>
        <source>Waiting for the heap's next full collection</source>
        <translation>Warten auf die nächste volle Sammlung des Heaps</translation>
    </message>
    <message>
        <source>Not begun: {not_begun}</source>
        <translation>Nicht begonnen: {not_begun}</translation>
    </message>
    <message>
        <source>another Agent Ring on this computer has been acting for a minute</source>
        <translation>ein anderer Agent Ring auf diesem Computer handelt seit einer Minute</translation>
    </message>
    <message>
        <source>the journal cannot be written ({value})</source>
        <translation>das Journal kann nicht geschrieben werden ({value})</translation>
    </message>
    <message>
        <source>Not begun: stopped by you</source>
        <translation>Nicht begonnen: von dir angehalten</translation>
    </message>
    <message>
        <source>Not done: it is not there any more</source>
        <translation>Nicht getan: es ist nicht mehr da</translation>
    </message>
    <message>
        <source>Not done: its host was started anew since the list was made</source>
        <translation>Nicht getan: der Host wurde seither neu gestartet</translation>
    </message>
    <message>
        <source>Not done: its processes belong elsewhere now</source>
        <translation>Nicht getan: die Prozesse gehören jetzt woandershin</translation>
    </message>
    <message>
        <source>Not done: process {pid} runs another program since the list was made</source>
        <translation>Nicht getan: Prozess {pid} führt seither ein anderes Programm aus</translation>
    </message>
    <message>
        <source>Not done: it runs in a new process since the list was made</source>
        <translation>Nicht getan: sie läuft seither in einem neuen Prozess</translation>
    </message>
    <message>
        <source>its host offers no release</source>
        <translation>der Host bietet keine Freigabe</translation>
    </message>
    <message>
        <source>It runs again in a new process</source>
        <translation>Läuft wieder in einem neuen Prozess</translation>
    </message>
    <message>
        <source>{label}: not possible, the host is not known any more</source>
        <translation>{label}: nicht möglich, der Host ist nicht mehr bekannt</translation>
    </message>
    <message>
        <source>no answer within {call_timeout_s} s</source>
        <translation>keine Antwort innerhalb von {call_timeout_s} s</translation>
    </message>
    <message>
        <source>Not cleared: {said_no}</source>
        <translation>Nicht entfernt: {said_no}</translation>
    </message>
    <message>
        <source>Not released: {said_no}</source>
        <translation>Nicht freigegeben: {said_no}</translation>
    </message>
    <message>
        <source>Its host says that it is cleared, but still lists it</source>
        <translation>Der Host meldet sie als entfernt, listet sie aber noch</translation>
    </message>
    <message>
        <source>Its host says that it is released, but still holds it{rest}</source>
        <translation>Der Host meldet sie als freigegeben, hält sie aber noch{rest}</translation>
    </message>
    <message>
        <source>Cleared; nothing of it ran</source>
        <translation>Entfernt; nichts davon lief</translation>
    </message>
    <message>
        <source>Released inside its host, which goes on{rest}</source>
        <translation>Im Host freigegeben, der weiterläuft{rest}</translation>
    </message>
    <message>
        <source>Not done: this cannot be asked of it</source>
        <translation>Nicht getan: das kann hier nicht verlangt werden</translation>
    </message>
    <message>
        <source>{action}, which you were not asked about</source>
        <translation>{action}, wonach du nicht gefragt wurdest</translation>
    </message>
    <message>
        <source>Not released: {reason}</source>
        <translation>Nicht freigegeben: {reason}</translation>
    </message>
    <message>
        <source>Not ended: {reason}</source>
        <translation>Nicht beendet: {reason}</translation>
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
        <translation>begann inzwischen</translation>
    </message>
    <message>
        <source>stopped, does not react until it is continued</source>
        <translation>angehalten, reagiert erst nach Fortsetzung</translation>
    </message>
    <message>
        <source>waits for the system and cannot react</source>
        <translation>wartet auf das System und kann nicht reagieren</translation>
    </message>
    <message>
        <source>still runs</source>
        <translation>läuft noch</translation>
    </message>
    <message>
        <source>ended just now</source>
        <translation>endete soeben</translation>
    </message>
    <message>
        <source>Nothing is released or ended until it can be: make room, or let this user write there.</source>
        <translation>Nichts wird freigegeben oder beendet, bis es geht: Schaffe Platz oder erlaube diesem Benutzer dort zu schreiben.</translation>
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
        <translation>Die Sitzung ist weg, niemand vermisst es</translation>
    </message>
    <message>
        <source>Idle for {idle_s}; the longest goes first</source>
        <translation>Untätig seit {idle_s}; das Längste zuerst</translation>
    </message>
    <message>
        <source>1 surplus backend</source>
        <translation>1 überzähliges Backend</translation>
    </message>
    <message>
        <source>{surplus} surplus backends</source>
        <translation>{surplus} überzählige Backends</translation>
    </message>
    <message>
        <source>{surplus}; the session keeps its current one</source>
        <translation>{surplus}; die Sitzung behält das aktuelle</translation>
    </message>
    <message>
        <source>Its host holds what is left of it and would miss it</source>
        <translation>Der Host hält den Rest und würde ihn vermissen</translation>
    </message>
    <message>
        <source>Recognised, not understood: its host speaks in another way than this version knows</source>
        <translation>Erkannt, nicht verstanden: Der Host spricht anders, als diese Version kennt</translation>
    </message>
    <message>
        <source>Cannot tell whose installation it belongs to</source>
        <translation>Unklar, zu wessen Installation es gehört</translation>
    </message>
    <message>
        <source>Another user's process</source>
        <translation>Prozess eines anderen Benutzers</translation>
    </message>
    <message>
        <source>Only a session can be released</source>
        <translation>Nur eine Sitzung kann freigegeben werden</translation>
    </message>
    <message>
        <source>Two sessions claim this process</source>
        <translation>Zwei Sitzungen beanspruchen diesen Prozess</translation>
    </message>
    <message>
        <source>Its agent has ended, its host still lists it</source>
        <translation>Der Agent ist beendet, der Host listet ihn noch</translation>
    </message>
    <message>
        <source>{name} ({pid}) would start it again; stop it there</source>
        <translation>{name} ({pid}) würde es neu starten; halte es dort an</translation>
    </message>
    <message>
        <source>Idle, not yet confirmed by a second look</source>
        <translation>Untätig, noch nicht durch einen zweiten Blick bestätigt</translation>
    </message>
    <message>
        <source>Its host offers no orderly end</source>
        <translation>Der Host bietet kein geordnetes Ende</translation>
    </message>
    <message>
        <source>Idle for a short time only</source>
        <translation>Erst seit kurzem untätig</translation>
    </message>
    <message>
        <source>Ending it ends its container and all that runs there</source>
        <translation>Das Ende beendet den Container und alles darin</translation>
    </message>
    <message>
        <source>Cannot tell which of its host's sessions it serves</source>
        <translation>Unklar, welcher Sitzung des Hosts es dient</translation>
    </message>
    <message>
        <source>It does nothing: {fault}</source>
        <translation>Sie tut nichts: {fault}</translation>
    </message>
    <message>
        <source>Quiet hours until {value}:{value2}</source>
        <translation>Ruhezeit bis {value}:{value2}</translation>
    </message>
    <message>
        <source>At most {most_an_hour} an hour; they come later</source>
        <translation>Höchstens {most_an_hour} je Stunde; sie kommen später</translation>
    </message>
    <message>
        <source>At most {most_an_hour} an hour; the next in {next_s}</source>
        <translation>Höchstens {most_an_hour} je Stunde; die nächste in {next_s}</translation>
    </message>
    <message>
        <source>No session is idle for longer than {after_s}</source>
        <translation>Keine Sitzung ist länger als {after_s} untätig</translation>
    </message>
    <message>
        <source>{long_idle} idle for longer than {after_s}</source>
        <translation>{long_idle} länger als {after_s} untätig</translation>
    </message>
    <message>
        <source>Idle for {idle_s}, longer than {after_s}</source>
        <translation>Untätig seit {idle_s}, länger als {after_s}</translation>
    </message>
    <message>
        <source>No host has more than {at_most} idle sessions; the most are {most}</source>
        <translation>Kein Host hat mehr als {at_most} untätige Sitzungen; am meisten sind {most}</translation>
    </message>
    <message>
        <source>{wanted} beyond the {at_most} of each host that stay</source>
        <translation>{wanted} über die {at_most} je Host hinaus, die bleiben</translation>
    </message>
    <message>
        <source>last used {group} ago</source>
        <translation>zuletzt benutzt vor {group}</translation>
    </message>
    <message>
        <source>used longest ago</source>
        <translation>am längsten unbenutzt</translation>
    </message>
    <message>
        <source>{idle} sessions of its host are idle, {at_most} stay; this one was {used}</source>
        <translation>{idle} Sitzungen des Hosts sind untätig, {at_most} bleiben; diese war {used}</translation>
    </message>
    <message>
        <source>This system does not tell how much memory it has</source>
        <translation>Dieses System sagt nicht, wie viel Speicher es hat</translation>
    </message>
    <message>
        <source>Agents hold {held}</source>
        <translation>Agenten belegen {held}</translation>
    </message>
    <message>
        <source>{holds}, not more than {mark}</source>
        <translation>{holds}, nicht mehr als {mark}</translation>
    </message>
    <message>
        <source>{holds}, more than {mark}</source>
        <translation>{holds}, mehr als {mark}</translation>
    </message>
    <message>
        <source>Memory is short; it waits {beat_s} to see what the last release brought</source>
        <translation>Speicher ist knapp; es wartet {beat_s}, was die letzte Freigabe bringt</translation>
    </message>
    <message>
        <source>Memory is short ({pressure})</source>
        <translation>Speicher ist knapp ({pressure})</translation>
    </message>
    <message>
        <source>This system does not tell if memory is short</source>
        <translation>Dieses System sagt nicht, ob Speicher knapp ist</translation>
    </message>
    <message>
        <source>Memory is not short</source>
        <translation>Speicher ist nicht knapp</translation>
    </message>
    <message>
        <source>No host tells how full its heap is</source>
        <translation>Kein Host sagt, wie voll sein Heap ist</translation>
    </message>
    <message>
        <source>No heap is fuller than {share}; the fullest is at {fullest}</source>
        <translation>Kein Heap ist voller als {share}; der vollste ist bei {fullest}</translation>
    </message>
    <message>
        <source>Its heap is full; it waits for its next full collection to see what the last release brought</source>
        <translation>Der Heap ist voll; es wartet auf die nächste volle Sammlung, was die letzte Freigabe bringt</translation>
    </message>
    <message>
        <source>The heap of {host} is at {value}</source>
        <translation>Der Heap von {host} ist bei {value}</translation>
    </message>
    <message>
        <source>, more than {share}</source>
        <translation>, mehr als {share}</translation>
    </message>
    <message>
        <source>Its heap is at {value}, more than {share}</source>
        <translation>Der Heap ist bei {value}, mehr als {share}</translation>
    </message>
    <message>
        <source>There are no orphans</source>
        <translation>Es gibt keine verwaisten Prozesse</translation>
    </message>
    <message>
        <source>Its session is gone for {for_s}, longer than {after_s}</source>
        <translation>Die Sitzung ist seit {for_s} weg, länger als {after_s}</translation>
    </message>
    <message>
        <source>It is an orphan and {for_s} old, older than {after_s}</source>
        <translation>Verwaist und {for_s} alt, älter als {after_s}</translation>
    </message>
    <message>
        <source>No orphan is older than {after_s}</source>
        <translation>Kein verwaister Prozess ist älter als {after_s}</translation>
    </message>
    <message>
        <source>{old} older than {after_s}</source>
        <translation>{old} älter als {after_s}</translation>
    </message>
    <message>
        <source>No session has a surplus backend</source>
        <translation>Keine Sitzung hat ein überzähliges Backend</translation>
    </message>
    <message>
        <source>{surplus} with surplus backends</source>
        <translation>{surplus} mit überzähligen Backends</translation>
    </message>
    <message>
        <source>Nothing of the kind is done without a person</source>
        <translation>Dergleichen geschieht nicht ohne einen Menschen</translation>
    </message>
    <message>
        <source>What is known of it is old or not certain</source>
        <translation>Was darüber bekannt ist, ist alt oder unsicher</translation>
    </message>
    <message>
        <source>It is not known to be idle</source>
        <translation>Nicht als untätig bekannt</translation>
    </message>
    <message>
        <source>Cannot tell when somebody typed in its terminal last</source>
        <translation>Unklar, wann zuletzt in ihrem Terminal getippt wurde</translation>
    </message>
    <message>
        <source>Somebody typed in its terminal {ago_s} ago</source>
        <translation>In ihrem Terminal wurde vor {ago_s} getippt</translation>
    </message>
    <message>
        <source>Its folder is not known, and the policy leaves a folder alone</source>
        <translation>Der Ordner ist unbekannt, und die Regel lässt einen Ordner in Ruhe</translation>
    </message>
    <message>
        <source>The policy leaves {match} alone</source>
        <translation>Die Regel lässt {match} in Ruhe</translation>
    </message>
    <message>
        <source>Agent Ring ended in the middle of this; it was looked at afterwards</source>
        <translation>Agent Ring endete mittendrin; danach wurde nachgesehen</translation>
    </message>
    <message>
        <source>What became of it inside its host is not known</source>
        <translation>Was im Host daraus wurde, ist unbekannt</translation>
    </message>
    <message>
        <source>memory pressure</source>
        <translation>Speicherdruck</translation>
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
        <translation>Die Einstellung idle_after_s ist {least}: Was kürzer untätig ist, wird nicht freigegeben.</translation>
    </message>
    <message>
        <source>No heap was fuller than {share} of its limit.</source>
        <translation>Kein Heap war voller als {share} seines Limits.</translation>
    </message>
    <message>
        <source>Heaps were fuller than {share} of their limit for {lasted}, all of them added up.</source>
        <translation>Heaps waren zusammen {lasted} lang voller als {share} ihres Limits.</translation>
    </message>
    <message>
        <source>It does nothing: {fault}.</source>
        <translation>Sie tut nichts: {fault}.</translation>
    </message>
    <message>
        <source>The history does not hold {missing}, so this policy cannot be replayed.</source>
        <translation>Der Verlauf enthält {missing} nicht, daher lässt sich diese Regel nicht nachspielen.</translation>
    </message>
    <message>
        <source>The history does not hold memory pressure: it counts as if there had always been some.</source>
        <translation>Der Verlauf enthält keinen Speicherdruck: Es zählt, als hätte es ihn immer gegeben.</translation>
    </message>
    <message>
        <source>How much memory the machine has is not known here, so a share of it counts as never reached.</source>
        <translation>Wie viel Speicher der Computer hat, ist nicht bekannt; ein Anteil davon zählt als nie erreicht.</translation>
    </message>
    <message>
        <source>The history does not hold the programs of a session: what names a program matches nothing.</source>
        <translation>Der Verlauf enthält keine Programme der Sitzungen: Was ein Programm nennt, passt auf nichts.</translation>
    </message>
    <message>
        <source>The history does not hold what protects an idle session: a scheduled wake-up, an attached view, a key press in its terminal, a question only its host knows, or that you keep it. The policy would spare these.</source>
        <translation>Der Verlauf enthält nicht, was eine untätige Sitzung schützt: geplantes Aufwachen, offene Ansicht, Tastendruck im Terminal, eine nur dem Host bekannte Frage oder dass du sie behältst. Die Regel würde diese verschonen.</translation>
    </message>
    <message>
        <source>A turn that began and ended within one minute, and before the last 7 days within 15 minutes, is only seen where it used enough CPU.</source>
        <translation>Eine Antwort, die innerhalb einer Minute begann und endete (vor den letzten 7 Tagen: 15 Minuten), ist nur bei genügend CPU zu sehen.</translation>
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
        <source>policy {value}</source>
        <translation>Regel {value}</translation>
    </message>
    <message>
        <source>policy number {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of Agent Ring. Comments stay; a line that is missing has its default.</source>
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
        <source>A work process runs</source>
        <translation>Ein Arbeitsprozess läuft</translation>
    </message>
    <message>
        <source>{work} work processes run</source>
        <translation>{work} Arbeitsprozesse laufen</translation>
    </message>
    <message>
        <source>1 process could not be read</source>
        <translation>1 Prozess war nicht lesbar</translation>
    </message>
    <message>
        <source>{unread} processes could not be read</source>
        <translation>{unread} Prozesse waren nicht lesbar</translation>
    </message>
    <message>
        <source>No work process runs</source>
        <translation>Kein Arbeitsprozess läuft</translation>
    </message>
    <message>
        <source>Somebody typed in its terminal just now</source>
        <translation>In ihrem Terminal wurde gerade getippt</translation>
    </message>
    <message>
        <source>Another session runs below it: {name}</source>
        <translation>Darunter läuft eine andere Sitzung: {name}</translation>
    </message>
    <message>
        <source>Work of another session runs below it: {name}</source>
        <translation>Darunter läuft Arbeit einer anderen Sitzung: {name}</translation>
    </message>
</context>
</TS>
