<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>agentring</name>
    <message>
        <source>Read its token or password</source>
        <translation>读取其令牌或密码</translation>
    </message>
    <message>
        <source>Close the helpers of released sessions</source>
        <translation>关闭已释放会话的辅助进程</translation>
    </message>
    <message>
        <source>read the token or password of {host} from the environment of its process whenever it is needed</source>
        <translation>需要时从 {host} 进程的环境变量读取其令牌或密码</translation>
    </message>
    <message>
        <source>sign in to {host} with it, on this computer</source>
        <translation>用它在这台电脑上登录 {host}</translation>
    </message>
    <message>
        <source>ask {host} to close the helpers of a session that is released</source>
        <translation>请求 {host} 关闭已释放会话的辅助进程</translation>
    </message>
    <message>
        <source>change the settings of that session in {host} for it</source>
        <translation>为此更改该会话在 {host} 中的设置</translation>
    </message>
    <message>
        <source>It is kept in memory only: never written, logged, shown or exported</source>
        <translation>仅保留在内存中：绝不写入、记录、显示或导出</translation>
    </message>
    <message>
        <source>Without it they stay with {host} and count as its own</source>
        <translation>否则它们会留在 {host} 并计入其中</translation>
    </message>
    <message>
        <source>{kind} in {file}, line {line}</source>
        <translation>{kind}，位于 {file} 第 {line} 行</translation>
    </message>
    <message>
        <source>A turn is open in another log of its folder, which may be its own</source>
        <translation>其文件夹中另一日志仍在回复，可能属于它</translation>
    </message>
    <message>
        <source>No turn has begun yet</source>
        <translation>尚未开始回复</translation>
    </message>
    <message>
        <source>The turn ended</source>
        <translation>回复已结束</translation>
    </message>
    <message>
        <source>The last turn was cut off before this process began</source>
        <translation>上次回复在此进程启动前中断</translation>
    </message>
    <message>
        <source>It waits for your answer</source>
        <translation>正在等待你的答复</translation>
    </message>
    <message>
        <source>A tool call has no result yet</source>
        <translation>有工具调用尚无结果</translation>
    </message>
    <message>
        <source>A tool call has no result yet: {names}</source>
        <translation>有工具调用尚无结果：{names}</translation>
    </message>
    <message>
        <source>A turn runs</source>
        <translation>正在回复</translation>
    </message>
    <message>
        <source>reading its files takes longer than one look</source>
        <translation>读取其文件的时间超过一轮检查</translation>
    </message>
    <message>
        <source>Check the disk or network folder that they lie on</source>
        <translation>请检查其所在的磁盘或网络文件夹</translation>
    </message>
    <message>
        <source>{host} offers no “{name}” for this session</source>
        <translation>{host} 不为此会话提供“{name}”</translation>
    </message>
    <message>
        <source>lines that are cut or damaged are left out: {lines}</source>
        <translation>已跳过不完整或损坏的行：{lines}</translation>
    </message>
    <message>
        <source>The rest is used; nothing needs to be done</source>
        <translation>其余内容照常使用，无需处理</translation>
    </message>
    <message>
        <source>cannot be read ({error})</source>
        <translation>无法读取（{error}）</translation>
    </message>
    <message>
        <source>Check what it is and its permissions</source>
        <translation>请检查其类型和权限</translation>
    </message>
    <message>
        <source>It is there and cannot be read</source>
        <translation>存在但无法读取</translation>
    </message>
    <message>
        <source>It says that a turn runs</source>
        <translation>它报告正在回复</translation>
    </message>
    <message>
        <source>It says that it does nothing</source>
        <translation>它报告没有活动</translation>
    </message>
    <message>
        <source>reading it takes longer than one look</source>
        <translation>读取时间超过一轮检查</translation>
    </message>
    <message>
        <source>Check the disk or network folder it lies on</source>
        <translation>请检查其所在的磁盘或网络文件夹</translation>
    </message>
    <message>
        <source>Codex offers no “{name}” for this session</source>
        <translation>Codex 不为此会话提供“{name}”</translation>
    </message>
    <message>
        <source>Codex daemon {pid}</source>
        <translation>Codex 守护进程 {pid}</translation>
    </message>
    <message>
        <source>it has no socket at {path}, so its threads are told by their logs</source>
        <translation>它在 {path} 没有套接字，因此根据日志判断其线程</translation>
    </message>
    <message>
        <source>version {version} answers: {threads} threads, {servers} connections to MCP servers</source>
        <translation>版本 {version} 已应答：{threads} 个线程，{servers} 个 MCP 服务器连接</translation>
    </message>
    <message>
        <source>the log cannot be read ({error})</source>
        <translation>无法读取日志（{error}）</translation>
    </message>
    <message>
        <source>damaged lines are left out</source>
        <translation>已跳过损坏的行</translation>
    </message>
    <message>
        <source>the index cannot be read ({error})</source>
        <translation>无法读取索引（{error}）</translation>
    </message>
    <message>
        <source>Check its permissions</source>
        <translation>请检查其权限</translation>
    </message>
    <message>
        <source>cannot be looked at ({error})</source>
        <translation>无法查看（{error}）</translation>
    </message>
    <message>
        <source>the folder cannot be read ({error})</source>
        <translation>无法读取文件夹（{error}）</translation>
    </message>
    <message>
        <source>Its daemon is asked to unload it</source>
        <translation>请求守护进程将其卸载</translation>
    </message>
    <message>
        <source>it has no socket at {path}</source>
        <translation>在 {path} 没有套接字</translation>
    </message>
    <message>
        <source>Its daemon cannot be asked to release it: {why}</source>
        <translation>无法请求守护进程释放：{why}</translation>
    </message>
    <message>
        <source>with CODEX_HOME={home}</source>
        <translation>CODEX_HOME={home}</translation>
    </message>
    <message>
        <source>Its daemon says that it has failed</source>
        <translation>守护进程报告它已失败</translation>
    </message>
    <message>
        <source>It waits for you</source>
        <translation>正在等待你</translation>
    </message>
    <message>
        <source>A turn is open: its daemon says that it runs</source>
        <translation>仍在回复：守护进程报告它正在运行</translation>
    </message>
    <message>
        <source>A command runs in the background: {command}</source>
        <translation>后台有命令正在运行：{command}</translation>
    </message>
    <message>
        <source>A subagent is at work</source>
        <translation>有子代理正在工作</translation>
    </message>
    <message>
        <source>Its daemon says that it is idle</source>
        <translation>守护进程报告它空闲</translation>
    </message>
    <message>
        <source>A terminal shows it, which would load it again</source>
        <translation>有终端正在显示它，会将其重新加载</translation>
    </message>
    <message>
        <source>A terminal is open in its folder; if it shows it, it would load it again</source>
        <translation>其文件夹中有打开的终端；若正在显示它，会将其重新加载</translation>
    </message>
    <message>
        <source>{name}, which started it, is attached to it</source>
        <translation>启动它的 {name} 仍与其相连</translation>
    </message>
    <message>
        <source>Its log cannot be read</source>
        <translation>无法读取其日志</translation>
    </message>
    <message>
        <source>A turn is open in another thread of the same run</source>
        <translation>同一次运行的另一线程仍在回复</translation>
    </message>
    <message>
        <source>it holds {count} loaded threads, of which {shown} are shown</source>
        <translation>它保有 {count} 个已加载线程，显示其中 {shown} 个</translation>
    </message>
    <message>
        <source>Release some of them</source>
        <translation>请释放其中一些</translation>
    </message>
    <message>
        <source>What it holds of its daemon's memory cannot be told apart and is counted with the daemon</source>
        <translation>无法区分它在守护进程内存中的份额，因此计入守护进程</translation>
    </message>
    <message>
        <source>It asks you a question</source>
        <translation>它向你提出了问题</translation>
    </message>
    <message>
        <source>A subagent has not answered yet</source>
        <translation>有子代理尚未应答</translation>
    </message>
    <message>
        <source>A turn is open</source>
        <translation>仍在回复</translation>
    </message>
    <message>
        <source>It asks for your permission</source>
        <translation>它正在请求你的许可</translation>
    </message>
    <message>
        <source>If this stays, `codex app-server daemon restart` when nothing runs</source>
        <translation>若持续如此，请在空闲时执行 `codex app-server daemon restart`</translation>
    </message>
    <message>
        <source>Update Agent Ring</source>
        <translation>请更新 Agent Ring</translation>
    </message>
    <message>
        <source>already released</source>
        <translation>已经释放</translation>
    </message>
    <message>
        <source>its daemon does not archive it: {words}</source>
        <translation>守护进程未将其归档：{words}</translation>
    </message>
    <message>
        <source>unloaded and kept</source>
        <translation>已卸载并保留</translation>
    </message>
    <message>
        <source>a turn is running in it</source>
        <translation>其中正在回复</translation>
    </message>
    <message>
        <source>a subagent of it is at work</source>
        <translation>其子代理正在工作</translation>
    </message>
    <message>
        <source>it waits for you</source>
        <translation>它在等待你</translation>
    </message>
    <message>
        <source>Look again when it is done</source>
        <translation>请在它完成后重试</translation>
    </message>
    <message>
        <source>its daemon does not say that it is idle</source>
        <translation>守护进程未报告它空闲</translation>
    </message>
    <message>
        <source>a command of it runs in the background: {command}</source>
        <translation>其命令正在后台运行：{command}</translation>
    </message>
    <message>
        <source>Stop it in Codex first: /stop</source>
        <translation>请先在 Codex 中停止：/stop</translation>
    </message>
    <message>
        <source>its daemon does not bring it back</source>
        <translation>守护进程未能将其恢复</translation>
    </message>
    <message>
        <source>{what}, and it may be archived now</source>
        <translation>{what}，并且可能已被归档</translation>
    </message>
    <message>
        <source>`codex unarchive {id}` brings it back</source>
        <translation>`codex unarchive {id}` 可将其恢复</translation>
    </message>
    <message>
        <source>a terminal that shows it has loaded it again</source>
        <translation>显示它的终端已将其重新加载</translation>
    </message>
    <message>
        <source>Close it there first, then release it</source>
        <translation>请先在那里关闭，然后再释放</translation>
    </message>
    <message>
        <source>its socket cannot be reached ({kind})</source>
        <translation>无法连接其套接字（{kind}）</translation>
    </message>
    <message>
        <source>it closed the connection</source>
        <translation>它关闭了连接</translation>
    </message>
    <message>
        <source>its socket cannot be used on this system</source>
        <translation>此系统上无法使用其套接字</translation>
    </message>
    <message>
        <source>its socket is not there ({error})</source>
        <translation>套接字不存在（{error}）</translation>
    </message>
    <message>
        <source>what should be its socket is none</source>
        <translation>本应是套接字的文件并非套接字</translation>
    </message>
    <message>
        <source>its socket is another user's</source>
        <translation>套接字属于其他用户</translation>
    </message>
    <message>
        <source>Nothing is asked there; look who put it there</source>
        <translation>不会向其发送请求；请查明是谁放置的</translation>
    </message>
    <message>
        <source>another process than this daemon listens on its socket</source>
        <translation>监听该套接字的是另一进程</translation>
    </message>
    <message>
        <source>it does not answer within {seconds} s</source>
        <translation>{seconds} 秒内无应答</translation>
    </message>
    <message>
        <source>it does not speak as is known: “{field}” in {where}</source>
        <translation>应答格式未知：{where} 中的“{field}”</translation>
    </message>
    <message>
        <source>Another session in the same process is at work</source>
        <translation>同一进程中的另一会话正在工作</translation>
    </message>
    <message>
        <source>Its turn ended, and it waits for something in the background</source>
        <translation>回复已结束，正在等待后台任务</translation>
    </message>
    <message>
        <source>It says that it works</source>
        <translation>它报告正在工作</translation>
    </message>
    <message>
        <source>It says that it does not work</source>
        <translation>它报告没有在工作</translation>
    </message>
    <message>
        <source>Its log does not tell whether a tool waits for your permission</source>
        <translation>日志未说明是否有工具在等待你的许可</translation>
    </message>
    <message>
        <source>Its log does not tell whether a helper still works for it</source>
        <translation>日志未说明是否仍有辅助进程为其工作</translation>
    </message>
    <message>
        <source>not found: no {places}</source>
        <translation>未找到：没有 {places}</translation>
    </message>
    <message>
        <source>none of its programs is on the PATH, data in {data}</source>
        <translation>PATH 中没有其程序，数据在 {data}</translation>
    </message>
    <message>
        <source>does not run now: {where}</source>
        <translation>当前未运行：{where}</translation>
    </message>
    <message>
        <source>{program}, version {version}, data in {data}</source>
        <translation>{program}，版本 {version}，数据在 {data}</translation>
    </message>
    <message>
        <source>{program}, version {version}, no data yet</source>
        <translation>{program}，版本 {version}，尚无数据</translation>
    </message>
    <message>
        <source>{program}, whose files tell no version, data in {data}</source>
        <translation>{program}，文件中没有版本信息，数据在 {data}</translation>
    </message>
    <message>
        <source>{program}, whose files tell no version, no data yet</source>
        <translation>{program}，文件中没有版本信息，尚无数据</translation>
    </message>
    <message>
        <source>{folder} cannot be read ({why}): its memory is counted, its titles and states are not known</source>
        <translation>无法读取 {folder}（{why}）：其内存已计入，标题和状态未知</translation>
    </message>
    <message>
        <source>what you keep could not be written ({why})</source>
        <translation>无法保存你要保留的项目（{why}）</translation>
    </message>
    <message>
        <source>Make room, or let this user write there, and try again</source>
        <translation>请腾出空间，或允许此用户写入，然后重试</translation>
    </message>
    <message>
        <source>it cannot be read ({why})</source>
        <translation>无法读取（{why}）</translation>
    </message>
    <message>
        <source>Allow this user to read it. What was known before still holds, and no policy acts till then</source>
        <translation>请允许此用户读取。此前已知的内容仍然有效，在此之前策略不会执行</translation>
    </message>
    <message>
        <source>it was damaged; it was set aside as {file}</source>
        <translation>文件已损坏，已另存为 {file}</translation>
    </message>
    <message>
        <source>it was written by a newer version (schema {schema})</source>
        <translation>由更新的版本写入（架构 {schema}）</translation>
    </message>
    <message>
        <source>It is left as it is: use that version, or delete it to keep anew. No policy acts till then</source>
        <translation>文件保持原样：请使用该版本，或将其删除以重新开始。在此之前策略不会执行</translation>
    </message>
    <message>
        <source>it is damaged ({damage}) and cannot be set aside ({why})</source>
        <translation>文件已损坏（{damage}），且无法另存（{why}）</translation>
    </message>
    <message>
        <source>Delete it and keep again what you want to keep. No policy acts till then</source>
        <translation>请删除该文件并重新选择要保留的项目。在此之前策略不会执行</translation>
    </message>
    <message>
        <source>it is damaged ({damage}); it was set aside as {file}</source>
        <translation>文件已损坏（{damage}），已另存为 {file}</translation>
    </message>
    <message>
        <source>Keep again what you want to keep (`agentring keep`). No policy acts till then, or till a restart</source>
        <translation>请重新选择要保留的项目（`agentring keep`）。在此之前或重启前策略不会执行</translation>
    </message>
    <message>
        <source>Idle, confirmed twice</source>
        <translation>空闲，已两次确认</translation>
    </message>
    <message>
        <source>A surplus backend; the session keeps its newest one</source>
        <translation>多余的后端；会话保留最新的一个</translation>
    </message>
    <message>
        <source>Its session is gone</source>
        <translation>所属会话已不存在</translation>
    </message>
    <message>
        <source>A job its session left running</source>
        <translation>其会话遗留的任务</translation>
    </message>
    <message>
        <source>Left over from an earlier run</source>
        <translation>先前运行的遗留</translation>
    </message>
    <message>
        <source>A turn is running</source>
        <translation>正在回复</translation>
    </message>
    <message>
        <source>A background task is running</source>
        <translation>有后台任务正在运行</translation>
    </message>
    <message>
        <source>A subagent is working</source>
        <translation>有子代理正在工作</translation>
    </message>
    <message>
        <source>It will wake up by itself</source>
        <translation>稍后会自行唤醒</translation>
    </message>
    <message>
        <source>It is open in a terminal</source>
        <translation>已在终端中打开</translation>
    </message>
    <message>
        <source>Cannot tell if it is idle</source>
        <translation>无法判断是否空闲</translation>
    </message>
    <message>
        <source>Too young to be judged</source>
        <translation>启动时间太短，无法判断</translation>
    </message>
    <message>
        <source>Its session still runs</source>
        <translation>所属会话仍在运行</translation>
    </message>
    <message>
        <source>Other sessions use it too</source>
        <translation>其他会话也在使用</translation>
    </message>
    <message>
        <source>Its backend serves other sessions</source>
        <translation>其后端还服务于其他会话</translation>
    </message>
    <message>
        <source>It belongs to another session</source>
        <translation>属于另一会话</translation>
    </message>
    <message>
        <source>Checked again just before</source>
        <translation>执行前已再次检查</translation>
    </message>
    <message>
        <source>Another process has this number now</source>
        <translation>该编号现属于另一进程</translation>
    </message>
    <message>
        <source>Cannot be sure it is the same process</source>
        <translation>无法确定是否为同一进程</translation>
    </message>
    <message>
        <source>Already gone</source>
        <translation>已不存在</translation>
    </message>
    <message>
        <source>This app is never ended</source>
        <translation>此应用绝不会被结束</translation>
    </message>
    <message>
        <source>A service that runs on purpose</source>
        <translation>有意运行的服务</translation>
    </message>
    <message>
        <source>Kept ready by its host</source>
        <translation>由宿主备用</translation>
    </message>
    <message>
        <source>Not an agent's process</source>
        <translation>不是代理的进程</translation>
    </message>
    <message>
        <source>Runs in a container</source>
        <translation>在容器中运行</translation>
    </message>
    <message>
        <source>Agent Ring runs inside it</source>
        <translation>Agent Ring 在其中运行</translation>
    </message>
    <message>
        <source>Already ended, its parent has not noticed</source>
        <translation>已结束，但父进程尚未察觉</translation>
    </message>
    <message>
        <source>You want to keep it</source>
        <translation>你选择保留它</translation>
    </message>
    <message>
        <source>The trigger “{trigger}” needs {figure}</source>
        <translation>触发条件“{trigger}”需要 {figure}</translation>
    </message>
    <message>
        <source>The trigger “{trigger}” has no use for {figure}</source>
        <translation>触发条件“{trigger}”用不到 {figure}</translation>
    </message>
    <message>
        <source>The trigger “heap” needs over as a share, such as “80%”</source>
        <translation>触发条件“heap”需要以比例给出 over，例如“80%”</translation>
    </message>
    <message>
        <source>The trigger “heap” has no use for a size in over</source>
        <translation>触发条件“heap”的 over 不能用大小</translation>
    </message>
    <message>
        <source>It has no name that can be shown</source>
        <translation>名称无法显示</translation>
    </message>
    <message>
        <source>after has to be longer than nothing</source>
        <translation>after 必须大于零</translation>
    </message>
    <message>
        <source>at_most cannot be less than 0</source>
        <translation>at_most 不能小于 0</translation>
    </message>
    <message>
        <source>over has to be more than nothing</source>
        <translation>over 必须大于零</translation>
    </message>
    <message>
        <source>over has to be a share from 0 to 100 %</source>
        <translation>over 必须是 0 到 100 % 的比例</translation>
    </message>
    <message>
        <source>most_an_hour has to be 1 or more; switch the policy off where nothing may be done</source>
        <translation>most_an_hour 至少为 1；若不希望执行任何操作，请关闭该策略</translation>
    </message>
    <message>
        <source>grace has to be {least} or longer, so that somebody can keep the session</source>
        <translation>grace 至少为 {least}，以便有时间保留会话</translation>
    </message>
    <message>
        <source>typed cannot be less than 0s</source>
        <translation>typed 不能小于 0s</translation>
    </message>
    <message>
        <source>quiet has to go from one time of day to another; the whole day is 00:00-24:00</source>
        <translation>quiet 必须是两个不同时刻之间；全天为 00:00-24:00</translation>
    </message>
    <message>
        <source>An exception names exactly one of session, folder, host, program</source>
        <translation>每个例外只能指定 session、folder、host、program 之一</translation>
    </message>
    <message>
        <source>An exception is empty</source>
        <translation>有一个例外为空</translation>
    </message>
    <message>
        <source>{what}, only while memory is short</source>
        <translation>{what}，仅在内存不足时</translation>
    </message>
    <message>
        <source>Releases sessions that are idle for longer than {time}</source>
        <translation>释放空闲超过 {time} 的会话</translation>
    </message>
    <message>
        <source>Keeps at most {number} idle sessions of each host, the most recently used ones</source>
        <translation>每个宿主最多保留 {number} 个空闲会话，保留最近使用的</translation>
    </message>
    <message>
        <source>Releases what goes first while agents together hold more than {limit}</source>
        <translation>当代理合计占用超过 {limit} 时按顺序释放</translation>
    </message>
    <message>
        <source>Releases what goes first, one by one, while the computer is short of memory</source>
        <translation>在电脑内存不足时逐个释放</translation>
    </message>
    <message>
        <source>Releases idle sessions in a host's heap that is fuller than {limit}</source>
        <translation>释放堆占用超过 {limit} 的宿主中的空闲会话</translation>
    </message>
    <message>
        <source>Ends helpers whose session is gone for longer than {time}</source>
        <translation>结束所属会话消失超过 {time} 的辅助进程</translation>
    </message>
    <message>
        <source>Ends surplus backends of idle sessions</source>
        <translation>结束空闲会话的多余后端</translation>
    </message>
    <message>
        <source>{share} of its cap</source>
        <translation>上限的 {share}</translation>
    </message>
    <message>
        <source>{share} of memory</source>
        <translation>内存的 {share}</translation>
    </message>
    <message>
        <source>{size} or {share}</source>
        <translation>{size} 或 {share}</translation>
    </message>
    <message>
        <source>the session {name}</source>
        <translation>会话 {name}</translation>
    </message>
    <message>
        <source>the folder {name}</source>
        <translation>文件夹 {name}</translation>
    </message>
    <message>
        <source>the host {name}</source>
        <translation>宿主 {name}</translation>
    </message>
    <message>
        <source>the program {name}</source>
        <translation>程序 {name}</translation>
    </message>
    <message>
        <source>the exception {name}</source>
        <translation>例外 {name}</translation>
    </message>
    <message>
        <source>{text} is no length of time. Write it as 90s, 30m, 4h or 1d</source>
        <translation>{text} 不是时长。请写成 90s、30m、4h 或 1d</translation>
    </message>
    <message>
        <source>{text} is no size. Write it as 8 GB or 512 MB</source>
        <translation>{text} 不是大小。请写成 8 GB 或 512 MB</translation>
    </message>
    <message>
        <source>{text} is no share. Write it as 40%</source>
        <translation>{text} 不是比例。请写成 40%</translation>
    </message>
    <message>
        <source>{text} is no part of a day. Write it as 22:00-07:00</source>
        <translation>{text} 不是时段。请写成 22:00-07:00</translation>
    </message>
    <message>
        <source>is no table</source>
        <translation>不是表</translation>
    </message>
    <message>
        <source>Write it as [[policies]] with name and trigger</source>
        <translation>请写成带有 name 和 trigger 的 [[policies]]</translation>
    </message>
    <message>
        <source>Correct or remove it; until then the policy does nothing. The keys are {keys}</source>
        <translation>请更正或删除；在此之前该策略不起作用。可用的键：{keys}</translation>
    </message>
    <message>
        <source>a key that is not known: {key}</source>
        <translation>未知的键：{key}</translation>
    </message>
    <message>
        <source>{key} cannot be used: {why}</source>
        <translation>{key} 无法使用：{why}</translation>
    </message>
    <message>
        <source>Correct that line; until then it does nothing</source>
        <translation>请更正该行；在此之前它不起作用</translation>
    </message>
    <message>
        <source>it has no {key}</source>
        <translation>缺少 {key}</translation>
    </message>
    <message>
        <source>Add it; until then it does nothing</source>
        <translation>请补上；在此之前不起作用</translation>
    </message>
    <message>
        <source>Correct it; until then the policy does nothing</source>
        <translation>请更正；在此之前该策略不起作用</translation>
    </message>
    <message>
        <source>it has to be a text</source>
        <translation>必须是文本</translation>
    </message>
    <message>
        <source>it has to be true or false</source>
        <translation>必须是 true 或 false</translation>
    </message>
    <message>
        <source>it has to be a whole number</source>
        <translation>必须是整数</translation>
    </message>
    <message>
        <source>there is {choices}</source>
        <translation>可选：{choices}</translation>
    </message>
    <message>
        <source>it can name one size and one share</source>
        <translation>可以给出一个大小和一个比例</translation>
    </message>
    <message>
        <source>each names exactly one of session, folder, host, program, such as {folder = “~/work”}</source>
        <translation>每项只能指定 session、folder、host、program 之一，例如 {folder = “~/work”}</translation>
    </message>
    <message>
        <source>it has to be a list, in [ ]</source>
        <translation>必须是用 [ ] 括起的列表</translation>
    </message>
    <message numerus="yes">
        <source>{n} processes gone</source>
        <extracomment>{n} process gone</extracomment>
        <translation>
            <numerusform>{n} 个进程已结束</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} still run, {gone}</source>
        <extracomment>{n} still runs, {gone}</extracomment>
        <translation>
            <numerusform>{n} 个仍在运行，{gone}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{gone}, {n} of those shown had ended before or belong elsewhere now</source>
        <extracomment>{gone}, {n} of those shown had ended before or belongs elsewhere now</extracomment>
        <translation>
            <numerusform>{gone}，所示中有 {n} 个此前已结束或现属于别处</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} still run, {gone} gone</source>
        <extracomment>{n} still runs, {gone} gone</extracomment>
        <translation>
            <numerusform>{n} 个仍在运行，{gone} 个已结束</numerusform>
        </translation>
    </message>
    <message>
        <source>Release</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>Release…</source>
        <translation>释放…</translation>
    </message>
    <message>
        <source>End…</source>
        <translation>结束…</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>为什么？</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>End it…</source>
        <translation>结束它…</translation>
    </message>
    <message>
        <source>Clear…</source>
        <translation>清除…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Stop waiting</source>
        <translation>停止等待</translation>
    </message>
    <message>
        <source>The running turn is lost.</source>
        <translation>正在进行的回复会丢失。</translation>
    </message>
    <message>
        <source>What runs in the background is lost.</source>
        <translation>后台运行的内容会丢失。</translation>
    </message>
    <message>
        <source>The subagent's work is lost.</source>
        <translation>子代理的工作会丢失。</translation>
    </message>
    <message>
        <source>Its question stays unanswered.</source>
        <translation>它的问题将得不到答复。</translation>
    </message>
    <message>
        <source>It will not wake up by itself any more.</source>
        <translation>它将不再自行唤醒。</translation>
    </message>
    <message>
        <source>Its view closes, and what is typed there is lost.</source>
        <translation>其窗口会关闭，已输入的内容会丢失。</translation>
    </message>
    <message>
        <source>If a turn is running, it is lost.</source>
        <translation>若正在回复，内容会丢失。</translation>
    </message>
    <message>
        <source>The other sessions of its backend end as well.</source>
        <translation>同一后端的其他会话也会结束。</translation>
    </message>
    <message>
        <source>The sessions that use it lose it.</source>
        <translation>使用它的会话将失去它。</translation>
    </message>
    <message>
        <source>What it has not finished is lost.</source>
        <translation>未完成的内容会丢失。</translation>
    </message>
    <message>
        <source>It can be resumed.</source>
        <translation>之后可以恢复。</translation>
    </message>
    <message>
        <source>Otherwise it comes back at once.</source>
        <translation>否则它会立刻重新出现。</translation>
    </message>
    <message>
        <source>Its entry goes; the conversation stays and can be resumed.</source>
        <translation>条目会消失；对话会保留并可恢复。</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Clear {name}?</source>
        <translation>要清除“{name}”吗？</translation>
    </message>
    <message>
        <source>Release {name}?</source>
        <translation>要释放“{name}”吗？</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>End the surplus of {name}?</source>
        <translation>要结束“{name}”的多余后端吗？</translation>
    </message>
    <message>
        <source>End it now</source>
        <translation>立即结束</translation>
    </message>
    <message>
        <source>End {name} now?</source>
        <translation>现在结束 {name} 吗？</translation>
    </message>
    <message>
        <source>End {name}?</source>
        <translation>要结束“{name}”吗？</translation>
    </message>
    <message>
        <source>{sentence}.</source>
        <translation>{sentence}。</translation>
    </message>
    <message>
        <source>{sentence} {loss}</source>
        <translation>{sentence}{loss}</translation>
    </message>
    <message>
        <source>It did not end when asked. It is ended at once; what it is doing is lost.</source>
        <translation>它未按请求结束。将立即结束它，正在进行的操作会丢失。</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Journal</source>
        <translation>操作记录</translation>
    </message>
    <message>
        <source>What you keep</source>
        <translation>你保留的项目</translation>
    </message>
    <message>
        <source>Who started whom</source>
        <translation>启动关系</translation>
    </message>
    <message>
        <source>Incidents</source>
        <translation>异常事件</translation>
    </message>
    <message>
        <source>The window's place and columns</source>
        <translation>窗口的位置和列</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>拷贝详细信息</translation>
    </message>
    <message>
        <source>For a report, without titles and names of yours</source>
        <translation>用于报告，不含你的标题和名称</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Memory is measured as</source>
        <translation>内存的测量方式</translation>
    </message>
    <message>
        <source>What Agent Ring itself costs now</source>
        <translation>Agent Ring 自身的当前开销</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Told apart, and not in the ring's total</source>
        <translation>单独列出，不计入圆环总量</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>100 % is one core</source>
        <translation>100 % 为一个核心</translation>
    </message>
    <message>
        <source>Last look</source>
        <translation>上次检查</translation>
    </message>
    <message>
        <source>CPU time to measure and judge everything once</source>
        <translation>测量并判断一次所用的 CPU 时间</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Agent Ring is under the MIT licence</source>
        <translation>Agent Ring 采用 MIT 许可证</translation>
    </message>
    <message>
        <source>It is built with Python (PSF), Qt and PySide6 (LGPL 3), SQLite (public domain), and others.</source>
        <translation>基于 Python (PSF)、Qt 和 PySide6 (LGPL 3)、SQLite（公有领域）等构建。</translation>
    </message>
    <message>
        <source>Reveal</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Reveal {name} in its folder</source>
        <translation>在文件夹中显示 {name}</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已拷贝</translation>
    </message>
    <message>
        <source>{what}, {waited} of {wait}</source>
        <translation>{what}，{waited}/{wait}</translation>
    </message>
    <message>
        <source>Stop after this one</source>
        <translation>完成此项后停止</translation>
    </message>
    <message>
        <source>Open journal</source>
        <translation>打开操作记录</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Releasing {title}</source>
        <translation>正在释放 {title}</translation>
    </message>
    <message>
        <source>Releasing {number} of {n}</source>
        <translation>正在释放第 {number} 项，共 {n} 项</translation>
    </message>
    <message>
        <source>Each process is checked again just before</source>
        <translation>每个进程在执行前都会再次检查</translation>
    </message>
    <message>
        <source>Released, the heap follows</source>
        <translation>已释放，堆随后回落</translation>
    </message>
    <message>
        <source>Releasing {number} of {n}: {title}</source>
        <translation>正在释放第 {number} 项，共 {n} 项：{title}</translation>
    </message>
    <message>
        <source>Not released: {title}</source>
        <translation>未释放：{title}</translation>
    </message>
    <message>
        <source>{size} expected</source>
        <translation>预计 {size}</translation>
    </message>
    <message>
        <source>That did not work</source>
        <translation>操作未成功</translation>
    </message>
    <message>
        <source>Mute for {time}</source>
        <translation>静音 {time}</translation>
    </message>
    <message>
        <source>Mute today</source>
        <translation>今天静音</translation>
    </message>
    <message>
        <source>Open: {title}</source>
        <translation>打开：{title}</translation>
    </message>
    <message>
        <source>Put away: {title}</source>
        <translation>收起：{title}</translation>
    </message>
    <message>
        <source>Tell me again</source>
        <translation>恢复提醒</translation>
    </message>
    <message>
        <source>And {n} more</source>
        <translation>另有 {n} 项</translation>
    </message>
    <message>
        <source>Messages are muted until {time}</source>
        <translation>提醒已静音至 {time}</translation>
    </message>
    <message>
        <source>midnight</source>
        <translation>午夜</translation>
    </message>
    <message>
        <source>Agents hold {size}</source>
        <translation>代理占用 {size}</translation>
    </message>
    <message>
        <source>More than the {limit} that you set.</source>
        <translation>超过你设置的 {limit}。</translation>
    </message>
    <message>
        <source>Memory runs short</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>Memory is nearly full</source>
        <translation>内存即将耗尽</translation>
    </message>
    <message>
        <source>The heap of {host} fills up</source>
        <translation>{host} 的堆即将占满</translation>
    </message>
    <message>
        <source>{size} of {limit}. Its host ends when it is full.</source>
        <translation>{size}/{limit}。占满时宿主会终止。</translation>
    </message>
    <message numerus="yes">
        <source>{n} orphans appeared, {size}</source>
        <extracomment>{n} orphan appeared, {size}</extracomment>
        <translation>
            <numerusform>出现 {n} 个孤立进程，{size}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} and others: {size} came back</source>
        <extracomment>{name}: {size} came back</extracomment>
        <translation>
            <numerusform>{name} 等 {n} 项：收回 {size}</numerusform>
        </translation>
    </message>
    <message>
        <source>By the policy “{policy}”.</source>
        <translation>由策略“{policy}”执行。</translation>
    </message>
    <message>
        <source>{name} did not stay released</source>
        <translation>{name} 释放后又出现</translation>
    </message>
    <message>
        <source>{name} waits for you</source>
        <translation>{name} 在等待你</translation>
    </message>
    <message>
        <source>It is a session of {host}.</source>
        <translation>{host} 的会话。</translation>
    </message>
    <message>
        <source>Agents hold nothing that could be released now.</source>
        <translation>代理没有可立即释放的内存。</translation>
    </message>
    <message>
        <source>{size} of agents can be released now.</source>
        <translation>代理有 {size} 可立即释放。</translation>
    </message>
    <message numerus="yes">
        <source>{title}, and {n} more</source>
        <extracomment>{title}, and {n} more</extracomment>
        <translation>
            <numerusform>{title}，另有 {n} 项</numerusform>
        </translation>
    </message>
    <message>
        <source>{why} Click to keep it.</source>
        <translation>{why} 点按即可保留。</translation>
    </message>
    <message>
        <source>This desktop shows no tray, so Agent Ring lives in this window; closing it quits. On GNOME the AppIndicator extension brings the tray back.</source>
        <translation>此桌面不显示托盘，因此 Agent Ring 在此窗口中运行；关闭窗口即退出。在 GNOME 上，AppIndicator 扩展可恢复托盘。</translation>
    </message>
    <message>
        <source>Shared helpers</source>
        <translation>共享辅助进程</translation>
    </message>
    <message>
        <source>Orphans</source>
        <translation>孤立进程</translation>
    </message>
    <message>
        <source>Memory and CPU over time</source>
        <translation>内存和 CPU 变化</translation>
    </message>
    <message>
        <source>Memory over time</source>
        <translation>内存变化</translation>
    </message>
    <message>
        <source>{host}, its own processes</source>
        <translation>{host}，自身进程</translation>
    </message>
    <message>
        <source>Nothing was held or measured in this time</source>
        <translation>此时段没有占用或测量数据</translation>
    </message>
    <message>
        <source>Heap and resident memory over time</source>
        <translation>堆和常驻内存变化</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>宿主</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Stack by</source>
        <translation>堆叠方式</translation>
    </message>
    <message>
        <source>Memory held</source>
        <translation>占用内存</translation>
    </message>
    <message>
        <source>Heap</source>
        <translation>堆</translation>
    </message>
    <message>
        <source>Chart of</source>
        <translation>图表内容</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>回到现在</translation>
    </message>
    <message>
        <source>{metric}, only {host}</source>
        <translation>{metric}，仅 {host}</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Show as chart</source>
        <translation>以图表显示</translation>
    </message>
    <message>
        <source>Show as table</source>
        <translation>以表格显示</translation>
    </message>
    <message>
        <source>15 min</source>
        <translation>15 分钟</translation>
    </message>
    <message>
        <source>1 h</source>
        <translation>1 小时</translation>
    </message>
    <message>
        <source>6 h</source>
        <translation>6 小时</translation>
    </message>
    <message>
        <source>24 h</source>
        <translation>24 小时</translation>
    </message>
    <message>
        <source>7 d</source>
        <translation>7 天</translation>
    </message>
    <message>
        <source>30 d</source>
        <translation>30 天</translation>
    </message>
    <message>
        <source>{day} Jan</source>
        <translation>1月{day}日</translation>
    </message>
    <message>
        <source>{day} Feb</source>
        <translation>2月{day}日</translation>
    </message>
    <message>
        <source>{day} Mar</source>
        <translation>3月{day}日</translation>
    </message>
    <message>
        <source>{day} Apr</source>
        <translation>4月{day}日</translation>
    </message>
    <message>
        <source>{day} May</source>
        <translation>5月{day}日</translation>
    </message>
    <message>
        <source>{day} Jun</source>
        <translation>6月{day}日</translation>
    </message>
    <message>
        <source>{day} Jul</source>
        <translation>7月{day}日</translation>
    </message>
    <message>
        <source>{day} Aug</source>
        <translation>8月{day}日</translation>
    </message>
    <message>
        <source>{day} Sep</source>
        <translation>9月{day}日</translation>
    </message>
    <message>
        <source>{day} Oct</source>
        <translation>10月{day}日</translation>
    </message>
    <message>
        <source>{day} Nov</source>
        <translation>11月{day}日</translation>
    </message>
    <message>
        <source>{day} Dec</source>
        <translation>12月{day}日</translation>
    </message>
    <message>
        <source>Smaller sessions</source>
        <translation>较小的会话</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation>等待你处理</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>Cannot tell</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>{n} others</source>
        <translation>其他 {n} 项</translation>
    </message>
    <message>
        <source>Asleep {length}</source>
        <translation>睡眠 {length}</translation>
    </message>
    <message>
        <source>Paused {length}</source>
        <translation>暂停 {length}</translation>
    </message>
    <message>
        <source>Not running {length}</source>
        <translation>未运行 {length}</translation>
    </message>
    <message>
        <source>Asleep</source>
        <translation>睡眠</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Memory ran short</source>
        <translation>内存曾不足</translation>
    </message>
    <message>
        <source>Memory was nearly full</source>
        <translation>内存曾接近耗尽</translation>
    </message>
    <message>
        <source>{time}: {memory} in all</source>
        <translation>{time}：共 {memory}</translation>
    </message>
    <message>
        <source>{note}, the axis ends at {top}</source>
        <translation>{note}，坐标轴止于 {top}</translation>
    </message>
    <message>
        <source>limit {size}</source>
        <translation>上限 {size}</translation>
    </message>
    <message>
        <source>{n} more</source>
        <translation>另有 {n} 项</translation>
    </message>
    <message>
        <source>Released</source>
        <translation>已释放</translation>
    </message>
    <message>
        <source>Ended, {size} came back</source>
        <translation>已结束，收回 {size}</translation>
    </message>
    <message>
        <source>Released, {size} came back</source>
        <translation>已释放，收回 {size}</translation>
    </message>
    <message>
        <source>100 % is one core</source>
        <translation>100 % 为一个核心</translation>
    </message>
    <message>
        <source>Resident memory</source>
        <translation>常驻内存</translation>
    </message>
    <message>
        <source>follows late, is never added to it</source>
        <translation>滞后，且从不相加</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>In all</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>发生的事</translation>
    </message>
    <message>
        <source>{since} to {until}</source>
        <translation>{since} 至 {until}</translation>
    </message>
    <message>
        <source>Memory and CPU over time, as a table</source>
        <translation>内存和 CPU 变化（表格）</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>Allow…</source>
        <translation>允许…</translation>
    </message>
    <message>
        <source>{host} needs you to allow that. What it means is shown first.</source>
        <translation>{host} 需要你的允许。会先显示其含义。</translation>
    </message>
    <message numerus="yes">
        <source>There are {n} more offers.</source>
        <extracomment>There is {n} more offer.</extracomment>
        <translation>
            <numerusform>另有 {n} 项建议。</numerusform>
        </translation>
    </message>
    <message>
        <source>Allow with {host}: {what}</source>
        <translation>允许 {host}：{what}</translation>
    </message>
    <message>
        <source>CPU and file dates are not used as proof.</source>
        <translation>CPU 和文件日期不作为依据。</translation>
    </message>
    <message>
        <source>CPU of {cpu} and file dates are not used as proof.</source>
        <translation>{cpu} 的 CPU 和文件日期不作为依据。</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Every sample</source>
        <translation>每个样本</translation>
    </message>
    <message>
        <source>1 min</source>
        <translation>1 分钟</translation>
    </message>
    <message>
        <source>Export CSV</source>
        <translation>导出 CSV</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>From, to</source>
        <translation>起止</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>One row for</source>
        <translation>每行间隔</translation>
    </message>
    <message>
        <source>All, with totals</source>
        <translation>全部，含总计</translation>
    </message>
    <message>
        <source>Only these</source>
        <translation>仅这些</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Export measurements as CSV</source>
        <translation>将测量数据导出为 CSV</translation>
    </message>
    <message>
        <source>One row per session and time, as every spreadsheet reads it.</source>
        <translation>每个会话每个时间点一行，任何电子表格均可读取。</translation>
    </message>
    <message>
        <source>to</source>
        <translation>至</translation>
    </message>
    <message>
        <source>No session was measured in this range.</source>
        <translation>此范围内没有测量到会话。</translation>
    </message>
    <message>
        <source>The range ends before it begins.</source>
        <translation>范围的结束早于开始。</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>正在统计…</translation>
    </message>
    <message>
        <source>Choose at least one session.</source>
        <translation>请至少选择一个会话。</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在写入…</translation>
    </message>
    <message>
        <source>{done} of {all} rows</source>
        <translation>{done}/{all} 行</translation>
    </message>
    <message numerus="yes">
        <source>{count} rows written, {size}</source>
        <extracomment>{count} row written, {size}</extracomment>
        <translation>
            <numerusform>已写入 {count} 行，{size}</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped. No file was written.</source>
        <translation>已停止，未写入文件。</translation>
    </message>
    <message>
        <source>{path}: {fault}. No file was written; choose another place.</source>
        <translation>{path}：{fault}。未写入文件，请选择其他位置。</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>A time is written as 2026-11-30 14:05.</source>
        <translation>时间请写成 2026-11-30 14:05。</translation>
    </message>
    <message>
        <source>Nothing was measured in this range.</source>
        <translation>此范围内没有测量数据。</translation>
    </message>
    <message>
        <source>One row for {time}</source>
        <translation>每 {time} 一行</translation>
    </message>
    <message>
        <source>{step}: about {rows} rows, {size}.</source>
        <translation>{step}：约 {rows} 行，{size}。</translation>
    </message>
    <message>
        <source>{step}: about {rows} rows, {size}. That fine it is kept for {kept}; Auto has all of the range.</source>
        <translation>{step}：约 {rows} 行，{size}。此精度仅保留 {kept}；“自动”可覆盖整个范围。</translation>
    </message>
    <message>
        <source>good</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>trouble</source>
        <translation>有问题</translation>
    </message>
    <message>
        <source>What is looked for</source>
        <translation>查找内容</translation>
    </message>
    <message>
        <source>Shows more once you allow it, see Settings</source>
        <translation>允许后可显示更多，见“设置”</translation>
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
        <translation>没有会话</translation>
    </message>
    <message>
        <source>Releases idle sessions itself when asked</source>
        <translation>可按请求自行释放空闲会话</translation>
    </message>
    <message>
        <source>Idle sessions are released by signal, and resumed there</source>
        <translation>空闲会话通过信号释放，并在那里恢复</translation>
    </message>
    <message>
        <source>What it holds is shown</source>
        <translation>显示其内存占用</translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation>登录时启动</translation>
    </message>
    <message>
        <source>Tell me when a session waits for me</source>
        <translation>会话等待我时提醒</translation>
    </message>
    <message>
        <source>Automatic release</source>
        <translation>自动释放</translation>
    </message>
    <message>
        <source>Off until you choose a policy</source>
        <translation>选择策略之前保持关闭</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Show sessions</source>
        <translation>显示会话</translation>
    </message>
    <message>
        <source>Solid</source>
        <translation>实心</translation>
    </message>
    <message>
        <source>in use, or kept</source>
        <translation>正在使用或保留</translation>
    </message>
    <message>
        <source>Outlined</source>
        <translation>空心</translation>
    </message>
    <message>
        <source>can be released now</source>
        <translation>现在可以释放</translation>
    </message>
    <message>
        <source>Thin line</source>
        <translation>细线</translation>
    </message>
    <message>
        <source>the rest of this computer</source>
        <translation>这台电脑的其余部分</translation>
    </message>
    <message>
        <source>Agent Ring is running</source>
        <translation>Agent Ring 正在运行</translation>
    </message>
    <message>
        <source>The ring in your menu bar shows what AI agents hold of this computer's memory. Click it to see them.</source>
        <translation>菜单栏中的圆环显示 AI 代理占用了这台电脑的多少内存。点按即可查看。</translation>
    </message>
    <message>
        <source>The ring in your tray shows what AI agents hold of this computer's memory. Click it to see them.</source>
        <translation>托盘中的圆环显示 AI 代理占用了这台电脑的多少内存。点击即可查看。</translation>
    </message>
    <message>
        <source>Found on this computer</source>
        <translation>在这台电脑上找到</translation>
    </message>
    <message>
        <source>Reads process tables and session files, never what you wrote.</source>
        <translation>读取进程表和会话文件，绝不读取你写的内容。</translation>
    </message>
    <message>
        <source>Sends nothing, and needs no account.</source>
        <translation>不发送任何内容，无需帐户。</translation>
    </message>
    <message>
        <source>Looking at what runs. That takes a second or two.</source>
        <translation>正在查看运行中的程序，需要一两秒。</translation>
    </message>
    <message>
        <source>And {names}</source>
        <translation>以及 {names}</translation>
    </message>
    <message>
        <source>Start at login: {error}</source>
        <translation>登录时启动：{error}</translation>
    </message>
    <message>
        <source>No agent runs now. Start one: it appears here and in the ring within seconds.</source>
        <translation>现在没有代理运行。启动一个，几秒内就会出现在这里和圆环中。</translation>
    </message>
    <message>
        <source>{nothing} Looked for are {names} and {n} more.</source>
        <translation>{nothing}正在查找 {names} 和另外 {n} 个。</translation>
    </message>
    <message>
        <source>{nothing} Looked for are {names}.</source>
        <translation>{nothing}正在查找 {names}。</translation>
    </message>
    <message>
        <source>Agent Ring, nothing measured yet</source>
        <translation>Agent Ring，尚无测量数据</translation>
    </message>
    <message>
        <source>Agent Ring, paused</source>
        <translation>Agent Ring，已暂停</translation>
    </message>
    <message>
        <source>{size} in use</source>
        <translation>已使用 {size}</translation>
    </message>
    <message>
        <source>{size} held by agents</source>
        <translation>代理占用 {size}</translation>
    </message>
    <message>
        <source>{size} held</source>
        <translation>占用 {size}</translation>
    </message>
    <message>
        <source>{size} can be released</source>
        <translation>可释放 {size}</translation>
    </message>
    <message numerus="yes">
        <source>{n} sessions wait for you</source>
        <extracomment>{n} session waits for you</extracomment>
        <translation>
            <numerusform>{n} 个会话在等待你</numerusform>
        </translation>
    </message>
    <message>
        <source>Heap of {host}</source>
        <translation>{host} 的堆</translation>
    </message>
    <message>
        <source>The heap of {host} is nearly full</source>
        <translation>{host} 的堆即将占满</translation>
    </message>
    <message numerus="yes">
        <source>Release {n} sessions, {size} heap…</source>
        <extracomment>Release {n} session, {size} heap…</extracomment>
        <translation>
            <numerusform>释放 {n} 个会话，{size} 堆…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Release {n} sessions of {host}, about {size}</source>
        <extracomment>Release {n} session of {host}, about {size}</extracomment>
        <translation>
            <numerusform>释放 {host} 的 {n} 个会话，约 {size}</numerusform>
        </translation>
    </message>
    <message>
        <source>Install…</source>
        <translation>安装…</translation>
    </message>
    <message numerus="yes">
        <source>{n} sessions in the heap of {host}</source>
        <extracomment>{n} session in the heap of {host}</extracomment>
        <translation>
            <numerusform>{host} 的堆中有 {n} 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>How full it is and what each holds tells only a plugin in it. Releasing one needs it too.</source>
        <translation>只有插件才能告知堆的占用和各会话的大小。释放也需要它。</translation>
    </message>
    <message>
        <source>Install the plugin for {host}</source>
        <translation>安装 {host} 的插件</translation>
    </message>
    <message numerus="yes">
        <source>{n} more heaps, in the window</source>
        <extracomment>{n} more heap, in the window</extracomment>
        <translation>
            <numerusform>另有 {n} 个堆，见窗口</numerusform>
        </translation>
    </message>
    <message>
        <source>{host}: {what}</source>
        <translation>{host}：{what}</translation>
    </message>
    <message>
        <source>{size} was expected</source>
        <translation>预计为 {size}</translation>
    </message>
    <message>
        <source>collected after {time}</source>
        <translation>{time} 后完成回收</translation>
    </message>
    <message>
        <source>Its resident memory follows late, when the engine hands pages back.</source>
        <translation>常驻内存会在引擎归还页面后回落。</translation>
    </message>
    <message>
        <source>{memory} + {heap} heap</source>
        <translation>{memory} + {heap} 堆</translation>
    </message>
    <message>
        <source>{heap} heap</source>
        <translation>{heap} 堆</translation>
    </message>
    <message>
        <source>{size} of RSS</source>
        <translation>{size} RSS</translation>
    </message>
    <message>
        <source>at most {size} of heap</source>
        <translation>最多 {size} 堆</translation>
    </message>
    <message>
        <source>heap of {host} {use}</source>
        <translation>{host} 的堆 {use}</translation>
    </message>
    <message>
        <source>full in {time}</source>
        <translation>{time} 后占满</translation>
    </message>
    <message>
        <source>{size} of heap</source>
        <translation>{size} 堆</translation>
    </message>
    <message>
        <source>{memory} and {heap} of heap</source>
        <translation>{memory} 和 {heap} 堆</translation>
    </message>
    <message>
        <source>{memory} and {heap} of heap came back</source>
        <translation>收回 {memory} 和 {heap} 堆</translation>
    </message>
    <message>
        <source>{size} of heap came back</source>
        <translation>收回 {size} 堆</translation>
    </message>
    <message>
        <source>{size} came back</source>
        <translation>收回 {size}</translation>
    </message>
    <message>
        <source>Nothing came back</source>
        <translation>没有收回内存</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message numerus="yes">
        <source>{n} sessions live</source>
        <extracomment>{n} session live</extracomment>
        <translation>
            <numerusform>{n} 个活动会话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} turns lost</source>
        <extracomment>{n} turn lost</extracomment>
        <translation>
            <numerusform>丢失 {n} 次回复</numerusform>
        </translation>
    </message>
    <message>
        <source>noticed within {time}</source>
        <translation>{time} 内发现</translation>
    </message>
    <message>
        <source>heap {before} → {after}</source>
        <translation>堆 {before} → {after}</translation>
    </message>
    <message>
        <source>resident memory {before} → {after}</source>
        <translation>常驻内存 {before} → {after}</translation>
    </message>
    <message>
        <source>free on this computer {before} → {after}</source>
        <translation>电脑可用内存 {before} → {after}</translation>
    </message>
    <message>
        <source>{courses} in the last {time}</source>
        <translation>最近 {time} 内 {courses}</translation>
    </message>
    <message>
        <source>Export: {what}</source>
        <translation>导出：{what}</translation>
    </message>
    <message>
        <source>One file to hand on, without titles, folders and names</source>
        <translation>可供转发的文件，不含标题、文件夹和名称</translation>
    </message>
    <message>
        <source>A turn was open</source>
        <translation>正在回复</translation>
    </message>
    <message>
        <source>Its turn was lost</source>
        <translation>其回复已丢失</translation>
    </message>
    <message>
        <source>{size} heap</source>
        <translation>{size} 堆</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>Refused: {names}</source>
        <translation>已拒绝：{names}</translation>
    </message>
    <message>
        <source>Ended {name}</source>
        <translation>已结束 {name}</translation>
    </message>
    <message>
        <source>Released {name}</source>
        <translation>已释放 {name}</translation>
    </message>
    <message numerus="yes">
        <source>Ended {n} orphans</source>
        <extracomment>Ended {n} orphan</extracomment>
        <translation>
            <numerusform>已结束 {n} 个孤立进程</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Released {n} sessions</source>
        <extracomment>Released {n} session</extracomment>
        <translation>
            <numerusform>已释放 {n} 个会话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ended {n} orphans</source>
        <extracomment>ended {n} orphan</extracomment>
        <translation>
            <numerusform>结束 {n} 个孤立进程</numerusform>
        </translation>
    </message>
    <message>
        <source>{first}, {then}</source>
        <translation>{first}，{then}</translation>
    </message>
    <message numerus="yes">
        <source>{n} processes survived</source>
        <extracomment>{n} process survived</extracomment>
        <translation>
            <numerusform>{n} 个进程未能结束</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} run again</source>
        <extracomment>{n} runs again</extracomment>
        <translation>
            <numerusform>{n} 个重新运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} are refused</source>
        <extracomment>{n} refused</extracomment>
        <translation>
            <numerusform>{n} 个被拒绝</numerusform>
        </translation>
    </message>
    <message>
        <source>{words}. {notes}.</source>
        <translation>{words}。{notes}。</translation>
    </message>
    <message>
        <source>{name} and {n} more</source>
        <translation>{name} 和另外 {n} 项</translation>
    </message>
    <message>
        <source>Not as it should be</source>
        <translation>与预期不符</translation>
    </message>
    <message>
        <source>Nothing done</source>
        <translation>未执行任何操作</translation>
    </message>
    <message>
        <source>of {size} expected</source>
        <translation>预计 {size}</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>Copy {command}</source>
        <translation>拷贝 {command}</translation>
    </message>
    <message>
        <source>Measured as {metric}, by resident memory (RSS) {rss}. Free on this computer: {free}.</source>
        <translation>按 {metric} 测量，按常驻内存 (RSS) 为 {rss}。电脑可用内存：{free}。</translation>
    </message>
    <message>
        <source>Measured as {metric}. Free on this computer: {free}.</source>
        <translation>按 {metric} 测量。电脑可用内存：{free}。</translation>
    </message>
    <message>
        <source>Still there</source>
        <translation>仍存在</translation>
    </message>
    <message>
        <source>Nothing to resume</source>
        <translation>没有可恢复的内容</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Export the journal as it is shown</source>
        <translation>按当前显示导出操作记录</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>已导出</translation>
    </message>
    <message>
        <source>The incident could not be exported</source>
        <translation>无法导出该异常事件</translation>
    </message>
    <message>
        <source>The journal could not be exported</source>
        <translation>无法导出操作记录</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Every action is written here with what it gave back and how to resume.</source>
        <translation>每次操作、收回的内存以及恢复方法都记录在这里。</translation>
    </message>
    <message>
        <source>Nothing was released or ended yet</source>
        <translation>尚未释放或结束任何内容</translation>
    </message>
    <message>
        <source>Nothing was released yet</source>
        <translation>尚未释放任何内容</translation>
    </message>
    <message>
        <source>Nothing was ended yet</source>
        <translation>尚未结束任何内容</translation>
    </message>
    <message>
        <source>Nothing was refused</source>
        <translation>没有被拒绝的操作</translation>
    </message>
    <message>
        <source>What is found busy, changed or waiting just before it goes is left alone, and written here.</source>
        <translation>执行前发现忙碌、已变化或在等待的会被跳过，并记录在这里。</translation>
    </message>
    <message>
        <source>No incident is kept</source>
        <translation>没有异常事件</translation>
    </message>
    <message>
        <source>When a host ends unasked, fills its heap or loses a turn while Agent Ring runs, it is written here.</source>
        <translation>Agent Ring 运行期间，若宿主意外终止、堆占满或丢失回复，会记录在这里。</translation>
    </message>
    <message>
        <source>{size} and {heap} of heap</source>
        <translation>{size} 和 {heap} 堆</translation>
    </message>
    <message numerus="yes">
        <source>{n} actions, {size} came back</source>
        <extracomment>{n} action, {size} came back</extracomment>
        <translation>
            <numerusform>{n} 次操作，收回 {size}</numerusform>
        </translation>
    </message>
    <message>
        <source>no action</source>
        <translation>没有操作</translation>
    </message>
    <message numerus="yes">
        <source>{n} incidents</source>
        <extracomment>{n} incident</extracomment>
        <translation>
            <numerusform>{n} 个异常事件</numerusform>
        </translation>
    </message>
    <message>
        <source>{incidents}, {actions}</source>
        <translation>{incidents}，{actions}</translation>
    </message>
    <message>
        <source>Keep this one</source>
        <translation>保留此项</translation>
    </message>
    <message>
        <source>Do not keep</source>
        <translation>不再保留</translation>
    </message>
    <message>
        <source>Not now, for today</source>
        <translation>今天暂不</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>已保留</translation>
    </message>
    <message>
        <source>kept for today</source>
        <translation>今天保留</translation>
    </message>
    <message>
        <source>kept until {time}</source>
        <translation>保留至 {time}</translation>
    </message>
    <message>
        <source>Not now, for {time}</source>
        <translation>暂不，{time} 内</translation>
    </message>
    <message>
        <source>Resumed, runs for {length}</source>
        <translation>已恢复，运行 {length}</translation>
    </message>
    <message>
        <source>Runs for {length}</source>
        <translation>运行 {length}</translation>
    </message>
    <message>
        <source>Resumed, ran for {length}</source>
        <translation>已恢复，曾运行 {length}</translation>
    </message>
    <message>
        <source>Ran for {length}</source>
        <translation>曾运行 {length}</translation>
    </message>
    <message numerus="yes">
        <source>Process {pid} and {n} more</source>
        <extracomment>Process {pid} and {n} more</extracomment>
        <translation>
            <numerusform>进程 {pid} 和另外 {n} 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Process {pid}</source>
        <translation>进程 {pid}</translation>
    </message>
    <message>
        <source>Was gone already</source>
        <translation>已不存在</translation>
    </message>
    <message>
        <source>Something of it stayed</source>
        <translation>仍有残留</translation>
    </message>
    <message>
        <source>Not released</source>
        <translation>未释放</translation>
    </message>
    <message numerus="yes">
        <source>{n} runs</source>
        <extracomment>{n} run</extracomment>
        <translation>
            <numerusform>{n} 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>Line of time: {runs} since {since}</source>
        <translation>时间线：{since} 以来 {runs}</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>What happened to it</source>
        <translation>经历</translation>
    </message>
    <message>
        <source>at most {size} at a time</source>
        <translation>同时最多 {size}</translation>
    </message>
    <message numerus="yes">
        <source>{n} earlier events</source>
        <extracomment>{n} earlier event</extracomment>
        <translation>
            <numerusform>更早的 {n} 个事件</numerusform>
        </translation>
    </message>
    <message>
        <source>{verb}: {name}</source>
        <translation>{verb}：{name}</translation>
    </message>
    <message>
        <source>Why now</source>
        <translation>为何是现在</translation>
    </message>
    <message>
        <source>Next to go</source>
        <translation>即将释放</translation>
    </message>
    <message>
        <source>Release next</source>
        <translation>释放下一个</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Gives back</source>
        <translation>可收回</translation>
    </message>
    <message>
        <source>Orphans, ended by signal</source>
        <translation>孤立进程，通过信号结束</translation>
    </message>
    <message>
        <source>Not offered</source>
        <translation>不提供</translation>
    </message>
    <message>
        <source>End next…</source>
        <translation>结束下一个…</translation>
    </message>
    <message>
        <source>{verb}: {name}, {size}</source>
        <translation>{verb}：{name}，{size}</translation>
    </message>
    <message>
        <source>Policies…</source>
        <translation>策略…</translation>
    </message>
    <message>
        <source>Automatic release is off</source>
        <translation>自动释放已关闭</translation>
    </message>
    <message>
        <source>This is the order it would follow. Nothing goes until you say so.</source>
        <translation>这是将会遵循的顺序。未经你同意不会执行。</translation>
    </message>
    <message numerus="yes">
        <source>{n} policies on: {names}</source>
        <extracomment>{n} policy on: {names}</extracomment>
        <translation>
            <numerusform>{n} 个策略已启用：{names}</numerusform>
        </translation>
    </message>
    <message>
        <source>This is the order that is followed. You are told {time} before, and can keep it.</source>
        <translation>按此顺序执行。会提前 {time} 通知你，你可以选择保留。</translation>
    </message>
    <message>
        <source>Nothing can be released now</source>
        <translation>现在没有可释放的内容</translation>
    </message>
    <message>
        <source>What works, waits for you or cannot be told stays.</source>
        <translation>正在工作、等待你或无法判断的会保留。</translation>
    </message>
    <message>
        <source>No agent session is running</source>
        <translation>没有代理会话在运行</translation>
    </message>
    <message>
        <source>As soon as one rests for a while, it stands here with what it would give back.</source>
        <translation>一旦有会话空闲一段时间，就会连同可收回的内存显示在这里。</translation>
    </message>
    <message>
        <source>{title}, {size}</source>
        <translation>{title}，{size}</translation>
    </message>
    <message>
        <source>Now: {what}</source>
        <translation>现在：{what}</translation>
    </message>
    <message>
        <source>In {time}: {what}</source>
        <translation>{time} 后：{what}</translation>
    </message>
    <message>
        <source>{why}. By the policy “{policy}”.</source>
        <translation>{why}。由策略“{policy}”执行。</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Release now</source>
        <translation>立即释放</translation>
    </message>
    <message>
        <source>End now</source>
        <translation>立即结束</translation>
    </message>
    <message>
        <source>Keep {title}</source>
        <translation>保留 {title}</translation>
    </message>
    <message numerus="yes">
        <source>And {n} more, each is announced in its turn</source>
        <extracomment>And {n} more, announced in its turn</extracomment>
        <translation>
            <numerusform>另有 {n} 项，会逐一通知</numerusform>
        </translation>
    </message>
    <message>
        <source>physical footprint</source>
        <translation>物理内存占用</translation>
    </message>
    <message>
        <source>PSS</source>
        <translation>PSS</translation>
    </message>
    <message>
        <source>private working set</source>
        <translation>专用工作集</translation>
    </message>
    <message>
        <source>RSS</source>
        <translation>RSS</translation>
    </message>
    <message>
        <source>{held} of {total}</source>
        <translation>{held}/{total}</translation>
    </message>
    <message numerus="yes">
        <source>{n} processes</source>
        <extracomment>{n} process</extracomment>
        <translation>
            <numerusform>{n} 个进程</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} orphans</source>
        <extracomment>{n} orphan</extracomment>
        <translation>
            <numerusform>{n} 个孤立进程</numerusform>
        </translation>
    </message>
    <message>
        <source>Above is what they held in the last 24 h.</source>
        <translation>上方是最近 24 小时的占用。</translation>
    </message>
    <message>
        <source>Above is what they held in the last 7 d.</source>
        <translation>上方是最近 7 天的占用。</translation>
    </message>
    <message>
        <source>Filter by title, host, folder or pid</source>
        <translation>按标题、宿主、文件夹或 PID 筛选</translation>
    </message>
    <message>
        <source>Filter sessions by title, host, folder or pid</source>
        <translation>按标题、宿主、文件夹或 PID 筛选会话</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Time range</source>
        <translation>时间范围</translation>
    </message>
    <message>
        <source>Export CSV…</source>
        <translation>导出 CSV…</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>The first figures are here in about {every}.</source>
        <translation>约 {every} 后出现首批数据。</translation>
    </message>
    <message>
        <source>{mend} And {n} more.</source>
        <translation>{mend} 另有 {n} 项。</translation>
    </message>
    <message>
        <source>Start one in {hosts} and {n} more. It shows up here within {every}.</source>
        <translation>在 {hosts} 和另外 {n} 个宿主中启动会话，{every} 内会显示在这里。</translation>
    </message>
    <message>
        <source>Start one in {hosts} or another host. It shows up here within {every}.</source>
        <translation>在 {hosts} 或其他宿主中启动会话，{every} 内会显示在这里。</translation>
    </message>
    <message>
        <source>Start one in an agent host. It shows up here within {every}.</source>
        <translation>在代理宿主中启动会话，{every} 内会显示在这里。</translation>
    </message>
    <message>
        <source>Release {size}…</source>
        <translation>释放 {size}…</translation>
    </message>
    <message>
        <source>Nothing to release</source>
        <translation>没有可释放的内容</translation>
    </message>
    <message>
        <source>Command: {command}</source>
        <translation>命令：{command}</translation>
    </message>
    <message>
        <source>Policies</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>New policy…</source>
        <translation>新建策略…</translation>
    </message>
    <message>
        <source>Yours</source>
        <translation>你的策略</translation>
    </message>
    <message>
        <source>Suggested</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Nothing is released by itself unless you switch it on</source>
        <translation>除非你开启，否则不会自动释放</translation>
    </message>
    <message>
        <source>A policy takes only what could be released without a question, tells you before, and writes a receipt. What is busy, waits for you, is kept or cannot be told stays.</source>
        <translation>策略只处理无需询问即可释放的内容，会事先通知你并留下回执。忙碌、等待你、已保留或无法判断的会保留。</translation>
    </message>
    <message>
        <source>The policies could not be kept</source>
        <translation>无法保存策略</translation>
    </message>
    <message>
        <source>Its figures and exceptions are forgotten. What it has released can still be resumed from the journal.</source>
        <translation>其数值和例外会被删除。已释放的内容仍可从操作记录恢复。</translation>
    </message>
    <message>
        <source>Delete the policy “{name}”?</source>
        <translation>要删除策略“{name}”吗？</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>At most {n} an hour</source>
        <translation>每小时最多 {n} 次</translation>
    </message>
    <message>
        <source>{time} notice before each</source>
        <translation>每次提前 {time} 通知</translation>
    </message>
    <message>
        <source>not {hours}</source>
        <translation>{hours} 除外</translation>
    </message>
    <message>
        <source>only {what}</source>
        <translation>仅 {what}</translation>
    </message>
    <message>
        <source>never {what}</source>
        <translation>绝不 {what}</translation>
    </message>
    <message>
        <source>ends by SIGKILL what does not end when asked</source>
        <translation>未按请求结束的用 SIGKILL 结束</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>It switched itself off: {why}</source>
        <translation>它已自行关闭：{why}</translation>
    </message>
    <message>
        <source>Edit {name}</source>
        <translation>编辑 {name}</translation>
    </message>
    <message>
        <source>{n} would go now</source>
        <translation>现在会处理 {n} 项</translation>
    </message>
    <message>
        <source>Nothing now</source>
        <translation>现在没有</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Hide details of {name}</source>
        <translation>隐藏 {name} 的详情</translation>
    </message>
    <message>
        <source>Show details of {name}</source>
        <translation>显示 {name} 的详情</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Delete {name}</source>
        <translation>删除 {name}</translation>
    </message>
    <message>
        <source>What it would do now</source>
        <translation>现在会执行的操作</translation>
    </message>
    <message>
        <source>Is looked at.</source>
        <translation>正在查看。</translation>
    </message>
    <message>
        <source>These stay</source>
        <translation>保留这些</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Sessions that are idle for long</source>
        <translation>长时间空闲的会话</translation>
    </message>
    <message>
        <source>Too many idle sessions of a host</source>
        <translation>单个宿主的空闲会话过多</translation>
    </message>
    <message>
        <source>Agents together hold too much</source>
        <translation>代理合计占用过多</translation>
    </message>
    <message>
        <source>The computer is short of memory</source>
        <translation>电脑内存不足</translation>
    </message>
    <message>
        <source>A host's heap fills up</source>
        <translation>宿主的堆即将占满</translation>
    </message>
    <message>
        <source>Helpers whose session is gone</source>
        <translation>所属会话已消失的辅助进程</translation>
    </message>
    <message>
        <source>Surplus backends of idle sessions</source>
        <translation>空闲会话的多余后端</translation>
    </message>
    <message>
        <source>Kind of exception</source>
        <translation>例外类型</translation>
    </message>
    <message>
        <source>Exception</source>
        <translation>例外</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>An exception is empty. Name what it holds for, or remove it.</source>
        <translation>有一个例外为空。请填写适用对象或将其移除。</translation>
    </message>
    <message>
        <source>~/work</source>
        <translation>~/work</translation>
    </message>
    <message>
        <source>its id</source>
        <translation>会话 ID</translation>
    </message>
    <message>
        <source>its name</source>
        <translation>宿主名称</translation>
    </message>
    <message>
        <source>a program's name</source>
        <translation>程序名称</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add to: {list}</source>
        <translation>添加到：{list}</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Only while memory is short</source>
        <translation>仅在内存不足时</translation>
    </message>
    <message>
        <source>At most in an hour</source>
        <translation>每小时最多</translation>
    </message>
    <message>
        <source>Notice before</source>
        <translation>提前通知</translation>
    </message>
    <message>
        <source>Not where somebody typed within</source>
        <translation>若在此时间内有人输入则跳过</translation>
    </message>
    <message>
        <source>Quiet hours</source>
        <translation>安静时段</translation>
    </message>
    <message>
        <source>End what does not end when asked</source>
        <translation>结束未按请求结束的进程</translation>
    </message>
    <message>
        <source>Never these</source>
        <translation>绝不包括</translation>
    </message>
    <message>
        <source>Whatever else holds, these stay</source>
        <translation>无论其他条件如何，这些都保留</translation>
    </message>
    <message>
        <source>Where any are named, nothing else goes</source>
        <translation>若有填写，则仅处理这些</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Actions of this policy in any 60 minutes</source>
        <translation>任意 60 分钟内此策略的操作次数</translation>
    </message>
    <message>
        <source>So that you can keep it</source>
        <translation>以便你选择保留</translation>
    </message>
    <message>
        <source>In the session's own terminal</source>
        <translation>在会话自己的终端中</translation>
    </message>
    <message>
        <source>Nothing is done then; several with commas</source>
        <translation>此时段不执行；多个用逗号分隔</translation>
    </message>
    <message>
        <source>By SIGKILL, as the last step. What it is doing then is lost.</source>
        <translation>最后一步使用 SIGKILL。正在进行的操作会丢失。</translation>
    </message>
    <message>
        <source>New policy</source>
        <translation>新建策略</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>{about}. It stays off until you switch it on.</source>
        <translation>{about}。在你开启之前保持关闭。</translation>
    </message>
    <message>
        <source>{about}. It is on: a change holds at once.</source>
        <translation>{about}。已开启，更改立即生效。</translation>
    </message>
    <message>
        <source>Another policy is called “{name}”. Give this one a name of its own.</source>
        <translation>已有名为“{name}”的策略。请换一个名称。</translation>
    </message>
    <message>
        <source>Idle for longer than</source>
        <translation>空闲超过</translation>
    </message>
    <message>
        <source>Such as 30m, 4h or 1d</source>
        <translation>例如 30m、4h 或 1d</translation>
    </message>
    <message>
        <source>Gone for longer than</source>
        <translation>消失超过</translation>
    </message>
    <message>
        <source>Idle sessions of each host</source>
        <translation>每个宿主的空闲会话</translation>
    </message>
    <message>
        <source>At most so many stay</source>
        <translation>最多保留这么多</translation>
    </message>
    <message>
        <source>Together more than</source>
        <translation>合计超过</translation>
    </message>
    <message>
        <source>A size, a share, or both: 8 GB, 40%</source>
        <translation>大小、比例或两者：8 GB, 40%</translation>
    </message>
    <message>
        <source>Heap fuller than</source>
        <translation>堆占用超过</translation>
    </message>
    <message>
        <source>A share of its cap, such as 80%</source>
        <translation>上限的比例，例如 80%</translation>
    </message>
    <message>
        <source>It needs a size or a share. Write it as 8 GB or 40%</source>
        <translation>需要大小或比例。请写成 8 GB 或 40%</translation>
    </message>
    <message>
        <source>'{text}' is no whole number</source>
        <translation>“{text}”不是整数</translation>
    </message>
    <message>
        <source>{field}: {fault}.</source>
        <translation>{field}：{fault}。</translation>
    </message>
    <message>
        <source>Idle for {time}: nothing would have been released.</source>
        <translation>空闲 {time}：不会释放任何内容。</translation>
    </message>
    <message>
        <source>Idle for {time}: {freed} would have been free, of {sessions}; none of them worked again soon after.</source>
        <translation>空闲 {time}：{sessions}可释放 {freed}；其中没有很快又开始工作的。</translation>
    </message>
    <message>
        <source>Idle for {time}: {freed} would have been free, of {sessions}; {wrong} of them worked again soon after.</source>
        <translation>空闲 {time}：{sessions}可释放 {freed}；其中 {wrong} 个很快又开始工作。</translation>
    </message>
    <message>
        <source>Memory freed by idle time.</source>
        <translation>按空闲时间释放的内存。</translation>
    </message>
    <message>
        <source>Wrong</source>
        <translation>误判</translation>
    </message>
    <message>
        <source>GB·h freed</source>
        <translation>释放 GB·h</translation>
    </message>
    <message>
        <source>Now {time}</source>
        <translation>现在 {time}</translation>
    </message>
    <message>
        <source>On your own days</source>
        <translation>基于你自己的历史</translation>
    </message>
    <message>
        <source>Try it on the last 7 days</source>
        <translation>用最近 7 天试算</translation>
    </message>
    <message>
        <source>What this policy would have freed, and how often it would have been wrong.</source>
        <translation>此策略本可释放多少，以及会误判多少次。</translation>
    </message>
    <message>
        <source>Looking through the history</source>
        <translation>正在分析历史</translation>
    </message>
    <message>
        <source>Looking through the history, {time}</source>
        <translation>正在分析历史，{time}</translation>
    </message>
    <message>
        <source>The history could not be looked through: {why}</source>
        <translation>无法分析历史：{why}</translation>
    </message>
    <message>
        <source>The history holds {time} so far: no session was idle for 5 min in it.</source>
        <translation>历史目前有 {time}：其中没有会话空闲满 5 分钟。</translation>
    </message>
    <message>
        <source>The history holds {time} so far. Let Agent Ring record for a day or more, then try again.</source>
        <translation>历史目前有 {time}。请让 Agent Ring 记录一天以上再试。</translation>
    </message>
    <message>
        <source>On your own days: the last {time}</source>
        <translation>基于你自己的历史：最近 {time}</translation>
    </message>
    <message>
        <source>The history holds {time} so far.</source>
        <translation>历史目前有 {time}。</translation>
    </message>
    <message>
        <source>Use {time}</source>
        <translation>采用 {time}</translation>
    </message>
    <message>
        <source>Use {time} for {name}</source>
        <translation>对 {name} 采用 {time}</translation>
    </message>
    <message>
        <source>as {time} ago</source>
        <translation>与 {time} 前相同</translation>
    </message>
    <message>
        <source>{change} in {time}</source>
        <translation>{time} 内 {change}</translation>
    </message>
    <message>
        <source>Open window</source>
        <translation>打开窗口</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>The last action broke off</source>
        <translation>上次操作中断</translation>
    </message>
    <message>
        <source>Agent Ring itself: {size}, {share}</source>
        <translation>Agent Ring 自身：{size}，{share}</translation>
    </message>
    <message>
        <source>Memory is {metric}</source>
        <translation>内存：{metric}</translation>
    </message>
    <message>
        <source>{metric}, {change}</source>
        <translation>{metric}，{change}</translation>
    </message>
    <message numerus="yes">
        <source>And {n} more, in the window.</source>
        <extracomment>And {n} more, in the window.</extracomment>
        <translation>
            <numerusform>另有 {n} 项，见窗口。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation>尚无测量数据</translation>
    </message>
    <message>
        <source>The first figures are on their way.</source>
        <translation>首批数据即将出现。</translation>
    </message>
    <message>
        <source>No host of agents is known here.</source>
        <translation>这里没有已知的代理宿主。</translation>
    </message>
    <message numerus="yes">
        <source>Start one in {hosts} or another host. It shows up here within {n} seconds.</source>
        <extracomment>Start one in {hosts} or another host. It shows up here within {n} second.</extracomment>
        <translation>
            <numerusform>在 {hosts} 或其他宿主中启动会话，{n} 秒内会显示在这里。</numerusform>
        </translation>
    </message>
    <message>
        <source>Yesterday they held up to {size}, at {time}.</source>
        <translation>昨天最多占用 {size}，时间 {time}。</translation>
    </message>
    <message>
        <source>Earlier today they held up to {size}, at {time}.</source>
        <translation>今天早些时候最多占用 {size}，时间 {time}。</translation>
    </message>
    <message>
        <source>{size} can be released now</source>
        <translation>现在可释放 {size}</translation>
    </message>
    <message>
        <source>{size} of heap can be released now</source>
        <translation>现在可释放 {size} 堆</translation>
    </message>
    <message>
        <source>Release, about {size}</source>
        <translation>释放，约 {size}</translation>
    </message>
    <message>
        <source>Measuring is paused since {time}</source>
        <translation>自 {time} 起已暂停测量</translation>
    </message>
    <message numerus="yes">
        <source>{n} idle sessions</source>
        <extracomment>{n} idle session</extracomment>
        <translation>
            <numerusform>{n} 个空闲会话</numerusform>
        </translation>
    </message>
    <message>
        <source>{sessions} and {orphans}</source>
        <translation>{sessions}和 {orphans}</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Belongs here because</source>
        <translation>归属依据</translation>
    </message>
    <message>
        <source>its host keeps it</source>
        <translation>由宿主保留</translation>
    </message>
    <message>
        <source>closed by its host</source>
        <translation>由宿主关闭</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Wrapper</source>
        <translation>包装进程</translation>
    </message>
    <message>
        <source>Launcher</source>
        <translation>启动器</translation>
    </message>
    <message>
        <source>Helper</source>
        <translation>辅助进程</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>工作进程</translation>
    </message>
    <message>
        <source>Shell</source>
        <translation>Shell</translation>
    </message>
    <message>
        <source>Infra</source>
        <translation>基础设施</translation>
    </message>
    <message>
        <source>Spare</source>
        <translation>备用</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>App</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Backend, surplus</source>
        <translation>后端，多余</translation>
    </message>
    <message>
        <source>Backend, current</source>
        <translation>后端，当前</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Processes of this session</source>
        <translation>此会话的进程</translation>
    </message>
    <message>
        <source>You, from the menu bar</source>
        <translation>你，通过菜单栏</translation>
    </message>
    <message>
        <source>You, from the window</source>
        <translation>你，通过窗口</translation>
    </message>
    <message>
        <source>You, from the journal</source>
        <translation>你，通过操作记录</translation>
    </message>
    <message>
        <source>You, from the command line</source>
        <translation>你，通过命令行</translation>
    </message>
    <message>
        <source>By the policy “{name}”</source>
        <translation>由策略“{name}”</translation>
    </message>
    <message>
        <source>You, from the {place}</source>
        <translation>你，通过 {place}</translation>
    </message>
    <message>
        <source>Left: {names}</source>
        <translation>剩余：{names}</translation>
    </message>
    <message>
        <source>{before} before, {after} after</source>
        <translation>之前 {before}，之后 {after}</translation>
    </message>
    <message>
        <source>Copy resume command</source>
        <translation>拷贝恢复命令</translation>
    </message>
    <message>
        <source>Resuming</source>
        <translation>正在恢复</translation>
    </message>
    <message>
        <source>Resumed</source>
        <translation>已恢复</translation>
    </message>
    <message>
        <source>Runs again</source>
        <translation>已重新运行</translation>
    </message>
    <message>
        <source>It runs already. Nothing was started.</source>
        <translation>它已在运行，未启动任何内容。</translation>
    </message>
    <message>
        <source>{why}. The command was copied instead.</source>
        <translation>{why}。已改为拷贝命令。</translation>
    </message>
    <message>
        <source>Opened</source>
        <translation>已打开</translation>
    </message>
    <message>
        <source>Resume {title}</source>
        <translation>恢复 {title}</translation>
    </message>
    <message>
        <source>Resume {title}, in a terminal</source>
        <translation>在终端中恢复 {title}</translation>
    </message>
    <message>
        <source>transcript</source>
        <translation>对话记录</translation>
    </message>
    <message>
        <source>rollout</source>
        <translation>rollout 记录</translation>
    </message>
    <message>
        <source>terminal</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>registry</source>
        <translation>注册表</translation>
    </message>
    <message>
        <source>process table</source>
        <translation>进程表</translation>
    </message>
    <message>
        <source>its host</source>
        <translation>其宿主</translation>
    </message>
    <message>
        <source>its variable</source>
        <translation>其变量</translation>
    </message>
    <message>
        <source>its program</source>
        <translation>其程序</translation>
    </message>
    <message>
        <source>its arguments</source>
        <translation>其参数</translation>
    </message>
    <message>
        <source>No program opens folders here. The folder is {folder}</source>
        <translation>没有程序可打开文件夹。文件夹为 {folder}</translation>
    </message>
    <message>
        <source>Survived</source>
        <translation>未能结束</translation>
    </message>
    <message>
        <source>{host}, its session is gone</source>
        <translation>{host}，会话已不存在</translation>
    </message>
    <message>
        <source>{state}, no work running</source>
        <translation>{state}，没有任务在运行</translation>
    </message>
    <message>
        <source>Release {size}</source>
        <translation>释放 {size}</translation>
    </message>
    <message>
        <source>Release these {n}</source>
        <translation>释放这 {n} 项</translation>
    </message>
    <message>
        <source>Release {n}, about {size}</source>
        <translation>释放 {n} 项，约 {size}</translation>
    </message>
    <message>
        <source>End {size}</source>
        <translation>结束 {size}</translation>
    </message>
    <message>
        <source>End these {n}</source>
        <translation>结束这 {n} 项</translation>
    </message>
    <message>
        <source>End {n}, about {size}</source>
        <translation>结束 {n} 项，约 {size}</translation>
    </message>
    <message>
        <source>Clear {size}</source>
        <translation>清除 {size}</translation>
    </message>
    <message>
        <source>Clear these {n}</source>
        <translation>清除这 {n} 项</translation>
    </message>
    <message>
        <source>Clear {n}</source>
        <translation>清除 {n} 项</translation>
    </message>
    <message>
        <source>List as of {time}. Each item is checked again just before it goes.</source>
        <translation>列表截至 {time}。每项在执行前都会再次检查。</translation>
    </message>
    <message>
        <source>Idle sessions</source>
        <translation>空闲会话</translation>
    </message>
    <message>
        <source>released by their host, can be resumed</source>
        <translation>由宿主释放，可恢复</translation>
    </message>
    <message>
        <source>Inside {host}</source>
        <translation>在 {host} 内</translation>
    </message>
    <message>
        <source>In the heap of {host}</source>
        <translation>在 {host} 的堆中</translation>
    </message>
    <message>
        <source>unloaded by it, no process ends</source>
        <translation>由宿主卸载，不结束进程</translation>
    </message>
    <message>
        <source>Ended sessions</source>
        <translation>已结束的会话</translation>
    </message>
    <message>
        <source>still listed by their host, which clears them</source>
        <translation>仍列在宿主中，由其清除</translation>
    </message>
    <message>
        <source>their session is gone, ended by signal</source>
        <translation>会话已不存在，通过信号结束</translation>
    </message>
    <message numerus="yes">
        <source>End {n} orphans?</source>
        <extracomment>End {n} orphan?</extracomment>
        <translation>
            <numerusform>要结束 {n} 个孤立进程吗？</numerusform>
        </translation>
    </message>
    <message>
        <source>Release {size}?</source>
        <translation>要释放 {size} 吗？</translation>
    </message>
    <message>
        <source>Release about {size}?</source>
        <translation>要释放约 {size} 吗？</translation>
    </message>
    <message>
        <source>Release nothing?</source>
        <translation>不释放任何内容？</translation>
    </message>
    <message numerus="yes">
        <source>Clear {n} ended sessions?</source>
        <extracomment>Clear {n} ended session?</extracomment>
        <translation>
            <numerusform>要清除 {n} 个已结束的会话吗？</numerusform>
        </translation>
    </message>
    <message>
        <source>{n} of {all} selected</source>
        <translation>已选择 {n}/{all}</translation>
    </message>
    <message>
        <source>Releasing {n} of {all}</source>
        <translation>正在释放 {n}/{all}</translation>
    </message>
    <message>
        <source>Nothing came back so far.</source>
        <translation>目前尚未收回内存。</translation>
    </message>
    <message>
        <source>{name} is looked at once more</source>
        <translation>正在再次检查 {name}</translation>
    </message>
    <message>
        <source>{size} came back so far.</source>
        <translation>目前已收回 {size}。</translation>
    </message>
    <message>
        <source>A heap gives back what was released when its host next collects it as a whole.</source>
        <translation>宿主下次完整回收堆时才会归还已释放的内存。</translation>
    </message>
    <message>
        <source>{what}, {waited} of {most}</source>
        <translation>{what}，{waited}/{most}</translation>
    </message>
    <message>
        <source>Measured as {metric} from {since} to {until}.</source>
        <translation>{since} 至 {until} 按 {metric} 测量。</translation>
    </message>
    <message>
        <source>{measured} Expected {size}.</source>
        <translation>{measured}预计 {size}。</translation>
    </message>
    <message>
        <source>{title}, expected {size}</source>
        <translation>{title}，预计 {size}</translation>
    </message>
    <message>
        <source>Free on this computer</source>
        <translation>电脑可用内存</translation>
    </message>
    <message>
        <source>By resident memory (RSS)</source>
        <translation>按常驻内存 (RSS)</translation>
    </message>
    <message>
        <source>Resume opens it in your terminal; the journal keeps the command.</source>
        <translation>“恢复”会在终端中打开；命令保存在操作记录中。</translation>
    </message>
    <message>
        <source>Resume asks the host to bring it back; the journal offers it too.</source>
        <translation>“恢复”会请求宿主将其恢复；操作记录中也可恢复。</translation>
    </message>
    <message>
        <source>Resume asks the host to bring it back; the journal offers it too. Others open in your terminal.</source>
        <translation>“恢复”会请求宿主将其恢复；操作记录中也可恢复。其他会在终端中打开。</translation>
    </message>
    <message>
        <source>Resume at any time</source>
        <translation>随时可以恢复</translation>
    </message>
    <message>
        <source>End what is left of {name}</source>
        <translation>结束 {name} 的剩余部分</translation>
    </message>
    <message>
        <source>The action broke off</source>
        <translation>操作中断</translation>
    </message>
    <message>
        <source>Gone</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>of {total}</source>
        <translation>共 {total}</translation>
    </message>
    <message>
        <source>heap</source>
        <translation>堆</translation>
    </message>
    <message>
        <source>Shared</source>
        <translation>共享</translation>
    </message>
    <message numerus="yes">
        <source>{n} small ones</source>
        <extracomment>{n} small one</extracomment>
        <translation>
            <numerusform>{n} 个较小项</numerusform>
        </translation>
    </message>
    <message>
        <source>can be released</source>
        <translation>可释放</translation>
    </message>
    <message>
        <source>Orphans and leaked helpers</source>
        <translation>孤立和泄漏的辅助进程</translation>
    </message>
    <message>
        <source>Show in window</source>
        <translation>在窗口中显示</translation>
    </message>
    <message>
        <source>Open terminal</source>
        <translation>打开终端</translation>
    </message>
    <message>
        <source>Reveal folder</source>
        <translation>显示文件夹</translation>
    </message>
    <message>
        <source>End it now…</source>
        <translation>立即结束…</translation>
    </message>
    <message>
        <source>{verb} {title}</source>
        <translation>{verb} {title}</translation>
    </message>
    <message>
        <source>{verb} {title}, about {size}</source>
        <translation>{verb} {title}，约 {size}</translation>
    </message>
    <message>
        <source>{share} CPU</source>
        <translation>{share} CPU</translation>
    </message>
    <message numerus="yes">
        <source>End {n} orphans…</source>
        <extracomment>End {n} orphan…</extracomment>
        <translation>
            <numerusform>结束 {n} 个孤立进程…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Their sessions are gone</source>
        <extracomment>Its session is gone</extracomment>
        <translation>
            <numerusform>所属会话已不存在</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing can reach them any more</source>
        <extracomment>Nothing can reach it any more</extracomment>
        <translation>
            <numerusform>已无法被访问</numerusform>
        </translation>
    </message>
    <message>
        <source>{gone} without a session, {leaked} that nothing can reach</source>
        <translation>{gone} 个没有会话，{leaked} 个无法访问</translation>
    </message>
    <message>
        <source>Releasing, waits for the one before it</source>
        <translation>等待前一项释放</translation>
    </message>
    <message>
        <source>Heap is awaited, {waited} of {wait}</source>
        <translation>等待堆回收，{waited}/{wait}</translation>
    </message>
    <message>
        <source>Releasing, {waited} of {wait}</source>
        <translation>正在释放，{waited}/{wait}</translation>
    </message>
    <message>
        <source>Releasing</source>
        <translation>正在释放</translation>
    </message>
    <message>
        <source>Released, {size} of heap</source>
        <translation>已释放，{size} 堆</translation>
    </message>
    <message>
        <source>Ended, {size} of heap</source>
        <translation>已结束，{size} 堆</translation>
    </message>
    <message>
        <source>Released by “{policy}”, {size}</source>
        <translation>由“{policy}”释放，{size}</translation>
    </message>
    <message>
        <source>Ended by “{policy}”, {size}</source>
        <translation>由“{policy}”结束，{size}</translation>
    </message>
    <message>
        <source>Its host is asked to bring it back</source>
        <translation>正在请求宿主恢复</translation>
    </message>
    <message>
        <source>Back to {page}</source>
        <translation>返回“{page}”</translation>
    </message>
    <message>
        <source>What a release does</source>
        <translation>释放会做什么</translation>
    </message>
    <message>
        <source>What ending it does</source>
        <translation>结束会做什么</translation>
    </message>
    <message>
        <source>Not offered now: {reason}.</source>
        <translation>目前不提供：{reason}。</translation>
    </message>
    <message>
        <source>Its host brings it back: “Resume” stands here and in the journal once it is released</source>
        <translation>由宿主恢复：释放后此处和操作记录中会出现“恢复”</translation>
    </message>
    <message>
        <source>The host does not tell how to resume it</source>
        <translation>宿主未说明如何恢复</translation>
    </message>
    <message>
        <source>{these}. Nothing else is touched.</source>
        <translation>{these}。不涉及其他任何内容。</translation>
    </message>
    <message>
        <source>About {size} comes back.</source>
        <translation>约收回 {size}。</translation>
    </message>
    <message>
        <source>No process ends, and nothing else is touched.</source>
        <translation>不结束进程，也不涉及其他任何内容。</translation>
    </message>
    <message>
        <source>{size} of heap comes back with its next full collection; resident memory follows late.</source>
        <translation>下次完整回收时收回 {size} 堆；常驻内存稍后回落。</translation>
    </message>
    <message>
        <source>{some} and {last}</source>
        <translation>{some}和{last}</translation>
    </message>
    <message numerus="yes">
        <source>{these} go</source>
        <extracomment>{these} goes</extracomment>
        <translation>
            <numerusform>{these}会结束</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} backends</source>
        <extracomment>{n} backend</extracomment>
        <translation>
            <numerusform>{n} 个后端</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} helpers</source>
        <extracomment>{n} helper</extracomment>
        <translation>
            <numerusform>{n} 个辅助进程</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} work processes</source>
        <extracomment>{n} work process</extracomment>
        <translation>
            <numerusform>{n} 个工作进程</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} wrappers</source>
        <extracomment>{n} wrapper</extracomment>
        <translation>
            <numerusform>{n} 个包装进程</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} other processes</source>
        <extracomment>{n} other process</extracomment>
        <translation>
            <numerusform>{n} 个其他进程</numerusform>
        </translation>
    </message>
    <message>
        <source>busy since {time}</source>
        <translation>自 {time} 起忙碌</translation>
    </message>
    <message>
        <source>waiting since {time}</source>
        <translation>自 {time} 起等待</translation>
    </message>
    <message>
        <source>idle since {time}</source>
        <translation>自 {time} 起空闲</translation>
    </message>
    <message>
        <source>ended since {time}</source>
        <translation>已于 {time} 结束</translation>
    </message>
    <message>
        <source>unknown since {time}</source>
        <translation>自 {time} 起无法判断</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>更多操作</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Install plugin…</source>
        <translation>安装插件…</translation>
    </message>
    <message>
        <source>Memory, 6 h</source>
        <translation>内存，6 小时</translation>
    </message>
    <message>
        <source>{size} of it</source>
        <translation>其中 {size}</translation>
    </message>
    <message>
        <source>Allow: {what}</source>
        <translation>允许：{what}</translation>
    </message>
    <message>
        <source>Heap of {host}, 6 h</source>
        <translation>{host} 的堆，6 小时</translation>
    </message>
    <message>
        <source>in the heap of process {pid}</source>
        <translation>在进程 {pid} 的堆中</translation>
    </message>
    <message>
        <source>in process {pid}</source>
        <translation>在进程 {pid} 中</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} 个词元</translation>
    </message>
    <message>
        <source>This session holds nothing any more</source>
        <translation>此会话不再占用内存</translation>
    </message>
    <message>
        <source>Its processes are gone. What is shown here is the last that was seen.</source>
        <translation>其进程已结束。这里显示最后看到的内容。</translation>
    </message>
    <message>
        <source>End with a signal…</source>
        <translation>用信号结束…</translation>
    </message>
    <message>
        <source>Copy id</source>
        <translation>拷贝 ID</translation>
    </message>
    <message>
        <source>More for {title}</source>
        <translation>{title} 的更多操作</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>Memory in use</source>
        <translation>已用内存</translation>
    </message>
    <message>
        <source>Fullest heap</source>
        <translation>最满的堆</translation>
    </message>
    <message>
        <source>What agents hold of this computer's memory</source>
        <translation>代理占用这台电脑内存的多少</translation>
    </message>
    <message>
        <source>How much of this computer's memory is in use</source>
        <translation>这台电脑的内存使用量</translation>
    </message>
    <message>
        <source>How full the fullest heap of a host is</source>
        <translation>最满的宿主堆的占用</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开启</translation>
    </message>
    <message>
        <source>What this system gets back when a process ends</source>
        <translation>进程结束后系统收回的内存</translation>
    </message>
    <message>
        <source>A process's own memory, and its part of what it shares</source>
        <translation>进程自身的内存加上其共享部分的份额</translation>
    </message>
    <message>
        <source>What a process has for itself alone</source>
        <translation>进程独占的内存</translation>
    </message>
    <message>
        <source>A session waits for me</source>
        <translation>有会话在等待我</translation>
    </message>
    <message>
        <source>Orphans appear</source>
        <translation>出现孤立进程</translation>
    </message>
    <message>
        <source>A policy acts</source>
        <translation>策略执行操作</translation>
    </message>
    <message>
        <source>A release did not hold</source>
        <translation>释放后又出现</translation>
    </message>
    <message>
        <source>Mute for 1 h</source>
        <translation>静音 1 小时</translation>
    </message>
    <message>
        <source>Unmute</source>
        <translation>取消静音</translation>
    </message>
    <message>
        <source>Reset…</source>
        <translation>还原…</translation>
    </message>
    <message>
        <source>General</source>
        <translation>通用</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Takes effect at the next start of Agent Ring</source>
        <translation>下次启动 Agent Ring 时生效</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>动画</translation>
    </message>
    <message>
        <source>What moves after an action; nothing moves by itself</source>
        <translation>操作后的动态效果；不会自行产生动画</translation>
    </message>
    <message>
        <source>Shows</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Memory figure</source>
        <translation>内存指标</translation>
    </message>
    <message>
        <source>Ring</source>
        <translation>圆环</translation>
    </message>
    <message>
        <source>Icon</source>
        <translation>图标</translation>
    </message>
    <message>
        <source>Automatic follows the bar's colour</source>
        <translation>“自动”跟随栏的颜色</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>间隔</translation>
    </message>
    <message>
        <source>While a view is open or an agent runs</source>
        <translation>视图打开或代理运行时</translation>
    </message>
    <message>
        <source>Idle after</source>
        <translation>空闲判定</translation>
    </message>
    <message>
        <source>Without activity for this long</source>
        <translation>无活动达到此时长</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Keep for</source>
        <translation>保留时长</translation>
    </message>
    <message>
        <source>Older measurements are removed</source>
        <translation>更早的测量数据会被移除</translation>
    </message>
    <message>
        <source>Delete history</source>
        <translation>删除历史</translation>
    </message>
    <message>
        <source>Settings and the journal stay</source>
        <translation>设置和操作记录会保留</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>Reset all settings</source>
        <translation>还原所有设置</translation>
    </message>
    <message>
        <source>Policies, what you allow with hosts, the history and the journal stay</source>
        <translation>策略、对宿主的允许、历史和操作记录会保留</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>When this computer runs out of free memory</source>
        <translation>当电脑可用内存耗尽时</translation>
    </message>
    <message>
        <source>Before it releases something, and when it has</source>
        <translation>释放之前和之后</translation>
    </message>
    <message>
        <source>When something starts again what you released</source>
        <translation>当你释放的内容又被启动时</translation>
    </message>
    <message>
        <source>Agents hold more than</source>
        <translation>代理占用超过</translation>
    </message>
    <message>
        <source>Together, of this computer's memory</source>
        <translation>合计，占这台电脑内存</translation>
    </message>
    <message>
        <source>A host's heap is fuller than</source>
        <translation>宿主的堆超过</translation>
    </message>
    <message>
        <source>Of its own limit</source>
        <translation>占其自身上限</translation>
    </message>
    <message>
        <source>The table of your own processes, and what each host writes down about its sessions</source>
        <translation>你自己的进程表，以及各宿主记录的会话信息</translation>
    </message>
    <message>
        <source>Message texts are read past, and the files of your projects are not opened</source>
        <translation>跳过消息正文，不打开项目文件</translation>
    </message>
    <message>
        <source>Figures, titles, folders and ids. No prompts, no command lines, no keys</source>
        <translation>数值、标题、文件夹和 ID。不含提示词、命令行和密钥</translation>
    </message>
    <message>
        <source>Nothing. There is no account, and no server of ours</source>
        <translation>无。没有帐户，也没有我们的服务器</translation>
    </message>
    <message>
        <source>A host's token or password is read only where you allow it, and kept in memory only</source>
        <translation>仅在你允许时读取宿主的令牌或密码，且只保留在内存中</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>What is read</source>
        <translation>会读取的内容</translation>
    </message>
    <message>
        <source>What is never read</source>
        <translation>绝不读取的内容</translation>
    </message>
    <message>
        <source>What is kept on this computer</source>
        <translation>保存在这台电脑上的内容</translation>
    </message>
    <message>
        <source>What is sent</source>
        <translation>会发送的内容</translation>
    </message>
    <message>
        <source>Secrets</source>
        <translation>机密信息</translation>
    </message>
    <message>
        <source>Named as soon as something is measured</source>
        <translation>测量后显示名称</translation>
    </message>
    <message>
        <source>Resident memory: shared pages count in each process, so sums are too high</source>
        <translation>常驻内存：共享页会在每个进程中重复计算，因此总和偏高</translation>
    </message>
    <message>
        <source>Off. A policy never touches busy, waiting or unknown sessions</source>
        <translation>关闭。策略绝不触碰忙碌、等待或无法判断的会话</translation>
    </message>
    <message numerus="yes">
        <source>{n} policies are on. They take only what rests</source>
        <extracomment>{n} policy is on. It takes only what rests</extracomment>
        <translation>
            <numerusform>已启用 {n} 个策略，只处理空闲内容</numerusform>
        </translation>
    </message>
    <message>
        <source>Muted until {time}. What is told stands in the popover all the same.</source>
        <translation>静音至 {time}。提醒仍会显示在弹窗中。</translation>
    </message>
    <message>
        <source>As notifications of the desktop, and in the popover</source>
        <translation>以桌面通知显示，并显示在弹窗中</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause recording</source>
        <translation>暂停记录</translation>
    </message>
    <message>
        <source>Go on recording</source>
        <translation>继续记录</translation>
    </message>
    <message>
        <source>Paused: the charts have a gap until you go on</source>
        <translation>已暂停：继续之前图表会有空缺</translation>
    </message>
    <message>
        <source>Measurements stay on this computer</source>
        <translation>测量数据保存在这台电脑上</translation>
    </message>
    <message>
        <source>{size} on disk, kept for {time}</source>
        <translation>磁盘占用 {size}，保留 {time}</translation>
    </message>
    <message>
        <source>Allowed with hosts</source>
        <translation>对宿主的允许</translation>
    </message>
    <message>
        <source>The change could not be kept</source>
        <translation>无法保存更改</translation>
    </message>
    <message>
        <source>The charts begin anew, and what was measured cannot be brought back. Settings and the journal stay.</source>
        <translation>图表将重新开始，已测量的数据无法恢复。设置和操作记录会保留。</translation>
    </message>
    <message>
        <source>Delete all measurements?</source>
        <translation>要删除所有测量数据吗？</translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>Intervals, notices, the ring and all else on this page are as they were at first. Policies, what you allow with hosts, the history and the journal stay.</source>
        <translation>间隔、通知、圆环及此页其他设置将恢复初始值。策略、对宿主的允许、历史和操作记录会保留。</translation>
    </message>
    <message>
        <source>Reset all settings?</source>
        <translation>要还原所有设置吗？</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>安装</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Agree</source>
        <translation>同意</translation>
    </message>
    <message>
        <source>Installing</source>
        <translation>正在安装</translation>
    </message>
    <message>
        <source>Allowing</source>
        <translation>正在允许</translation>
    </message>
    <message>
        <source>Working</source>
        <translation>正在处理</translation>
    </message>
    <message>
        <source>It is there already</source>
        <translation>已存在</translation>
    </message>
    <message>
        <source>This will</source>
        <translation>将会</translation>
    </message>
    <message>
        <source>Look at {host}</source>
        <translation>查看 {host}</translation>
    </message>
    <message>
        <source>What could be put into it or allowed with it stands here. Nothing is done by itself.</source>
        <translation>这里列出可安装或可允许的项目。不会自行执行。</translation>
    </message>
    <message>
        <source>Allow this with {host}?</source>
        <translation>允许 {host} 执行此项吗？</translation>
    </message>
    <message>
        <source>Nothing of it is done until you agree. What you allow is kept in the settings of Agent Ring, and can be taken back there at any time.</source>
        <translation>在你同意之前不会执行。你的允许保存在 Agent Ring 的设置中，可随时撤回。</translation>
    </message>
    <message>
        <source>Put the plugin into {host}?</source>
        <translation>在 {host} 中安装插件吗？</translation>
    </message>
    <message>
        <source>It tells how full the heap of {host} is and what each session holds in it, and releases idle ones. It listens on this computer only. Nothing is written until you agree.</source>
        <translation>它会告知 {host} 的堆占用及各会话的大小，并释放空闲会话。仅在这台电脑上监听。在你同意之前不写入任何内容。</translation>
    </message>
    <message>
        <source>Nothing was found that could be put into it or allowed with it now.</source>
        <translation>没有找到现在可安装或可允许的项目。</translation>
    </message>
    <message>
        <source>Allowed. The settings take it back, and so does:</source>
        <translation>已允许。可在设置中撤回，或执行：</translation>
    </message>
    <message>
        <source>Allowed. The settings take it back.</source>
        <translation>已允许。可在设置中撤回。</translation>
    </message>
    <message>
        <source>Done. To take it out again:</source>
        <translation>已完成。若要移除：</translation>
    </message>
    <message>
        <source>Done.</source>
        <translation>已完成。</translation>
    </message>
    <message>
        <source>Show only this in chart and tree; again to show all</source>
        <translation>图表和列表中仅显示此项；再次点按显示全部</translation>
    </message>
    <message>
        <source>Only this is shown; again to show all</source>
        <translation>仅显示此项；再次点按显示全部</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>宿主</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>0 of {total}</source>
        <translation>0/{total}</translation>
    </message>
    <message numerus="yes">
        <source>Next to go, {n} can go</source>
        <extracomment>Next to go, {n} can go</extracomment>
        <translation>
            <numerusform>即将释放，{n} 项可释放</numerusform>
        </translation>
    </message>
    <message>
        <source>Agent Ring: {memory}, {cpu}</source>
        <translation>Agent Ring：{memory}，{cpu}</translation>
    </message>
    <message>
        <source>under 1 s</source>
        <translation>不到 1 秒</translation>
    </message>
    <message>
        <source>Measuring is paused</source>
        <translation>已暂停测量</translation>
    </message>
    <message>
        <source>Recording, every {every}</source>
        <translation>正在记录，每 {every}</translation>
    </message>
    <message>
        <source>Not recording, every {every}</source>
        <translation>未记录，每 {every}</translation>
    </message>
    <message>
        <source>{host}, {memory}</source>
        <translation>{host}，{memory}</translation>
    </message>
    <message>
        <source>The system hides the icon. Allow Agent Ring under System Settings, Menu Bar; starting it again opens this window.</source>
        <translation>系统隐藏了图标。请在“系统设置”&gt;“菜单栏”中允许 Agent Ring；再次启动会打开此窗口。</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>继续测量</translation>
    </message>
    <message>
        <source>Release idle…</source>
        <translation>释放空闲会话…</translation>
    </message>
    <message>
        <source>Idle for</source>
        <translation>空闲时长</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程数</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>最近一小时</translation>
    </message>
    <message>
        <source>End {title}…</source>
        <translation>结束 {title}…</translation>
    </message>
    <message>
        <source>Clear {title}…</source>
        <translation>清除 {title}…</translation>
    </message>
    <message>
        <source>Open {title}</source>
        <translation>打开 {title}</translation>
    </message>
    <message>
        <source>Why does {title} stay?</source>
        <translation>为什么保留 {title}？</translation>
    </message>
    <message>
        <source>backend, pid {pid}</source>
        <translation>后端，PID {pid}</translation>
    </message>
    <message>
        <source>helper, pid {pid}</source>
        <translation>辅助进程，PID {pid}</translation>
    </message>
    <message>
        <source>work, pid {pid}</source>
        <translation>工作进程，PID {pid}</translation>
    </message>
    <message>
        <source>wrapper, pid {pid}</source>
        <translation>包装进程，PID {pid}</translation>
    </message>
    <message>
        <source>launcher, pid {pid}</source>
        <translation>启动器，PID {pid}</translation>
    </message>
    <message>
        <source>infra, pid {pid}</source>
        <translation>基础设施，PID {pid}</translation>
    </message>
    <message>
        <source>shell, pid {pid}</source>
        <translation>Shell，PID {pid}</translation>
    </message>
    <message>
        <source>spare, pid {pid}</source>
        <translation>备用，PID {pid}</translation>
    </message>
    <message>
        <source>client, pid {pid}</source>
        <translation>客户端，PID {pid}</translation>
    </message>
    <message>
        <source>app, pid {pid}</source>
        <translation>应用，PID {pid}</translation>
    </message>
    <message>
        <source>unknown, pid {pid}</source>
        <translation>未知，PID {pid}</translation>
    </message>
    <message>
        <source>surplus backend, pid {pid}</source>
        <translation>多余后端，PID {pid}</translation>
    </message>
    <message>
        <source>current backend, pid {pid}</source>
        <translation>当前后端，PID {pid}</translation>
    </message>
    <message>
        <source>{host} itself</source>
        <translation>{host} 自身</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Release {title}, about {size}</source>
        <translation>释放 {title}，约 {size}</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>排序方式</translation>
    </message>
    <message>
        <source>Columns as usual</source>
        <translation>恢复默认列</translation>
    </message>
    <message>
        <source>Nothing matches the filter</source>
        <translation>没有符合筛选的内容</translation>
    </message>
    <message>
        <source>{file} cannot be read: {fault}. The window starts as new, and the file is written anew.</source>
        <translation>无法读取 {file}：{fault}。窗口将以初始状态打开，并重新写入该文件。</translation>
    </message>
    <message>
        <source>{file} is from a newer Agent Ring. The window starts as new, and remembers nothing.</source>
        <translation>{file} 来自更新版本的 Agent Ring。窗口将以初始状态打开，且不保存。</translation>
    </message>
    <message>
        <source>{file} cannot be written: {fault}. The window forgets its columns.</source>
        <translation>无法写入 {file}：{fault}。窗口不会记住列设置。</translation>
    </message>
    <message>
        <source>speaks for it</source>
        <translation>支持</translation>
    </message>
    <message>
        <source>told only</source>
        <translation>仅供参考</translation>
    </message>
    <message>
        <source>could not be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>speaks against it</source>
        <translation>反对</translation>
    </message>
    <message>
        <source>Why is this busy?</source>
        <translation>为什么忙碌？</translation>
    </message>
    <message>
        <source>Why does this wait for you?</source>
        <translation>为什么在等待你？</translation>
    </message>
    <message>
        <source>Why is this idle?</source>
        <translation>为什么空闲？</translation>
    </message>
    <message>
        <source>Why has this ended?</source>
        <translation>为什么已结束？</translation>
    </message>
    <message>
        <source>Why can its state not be told?</source>
        <translation>为什么无法判断状态？</translation>
    </message>
    <message>
        <source>Why is this an orphan?</source>
        <translation>为什么是孤立进程？</translation>
    </message>
    <message>
        <source>Why is this counted here?</source>
        <translation>为什么计入此处？</translation>
    </message>
    <message>
        <source>{state}, confirmed twice</source>
        <translation>{state}，已两次确认</translation>
    </message>
    <message>
        <source>{time} ago</source>
        <translation>{time} 前</translation>
    </message>
    <message>
        <source>Where it comes from</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>from the process table</source>
        <translation>来自进程表</translation>
    </message>
    <message>
        <source>Used by several sessions</source>
        <translation>由多个会话使用</translation>
    </message>
    <message>
        <source>Its host's own</source>
        <translation>宿主自身</translation>
    </message>
    <message>
        <source>Agent Ring itself</source>
        <translation>Agent Ring 自身</translation>
    </message>
    <message>
        <source>Cannot tell, last seen busy</source>
        <translation>无法判断，上次为忙碌</translation>
    </message>
    <message>
        <source>Cannot tell, last seen waiting</source>
        <translation>无法判断，上次为等待</translation>
    </message>
    <message>
        <source>Cannot tell, last seen idle</source>
        <translation>无法判断，上次为空闲</translation>
    </message>
    <message>
        <source>Cannot tell, last seen ended</source>
        <translation>无法判断，上次为已结束</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} 秒</translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation>{n} 分钟</translation>
    </message>
    <message>
        <source>{n} h</source>
        <translation>{n} 小时</translation>
    </message>
    <message>
        <source>{n} d</source>
        <translation>{n} 天</translation>
    </message>
    <message>
        <source>Busy, turn of {time}</source>
        <translation>忙碌，已回复 {time}</translation>
    </message>
    <message>
        <source>Waiting for you, {time}</source>
        <translation>等待你处理，{time}</translation>
    </message>
    <message>
        <source>Idle {time}</source>
        <translation>空闲 {time}</translation>
    </message>
    <message>
        <source>Ended {time}</source>
        <translation>{time} 结束</translation>
    </message>
    <message>
        <source>Recognised, not understood</source>
        <translation>已识别，但无法理解</translation>
    </message>
    <message>
        <source>Recognised, not understood (version {version})</source>
        <translation>已识别，但无法理解（版本 {version}）</translation>
    </message>
    <message>
        <source>{used} of {limit} ({share})</source>
        <translation>{used}/{limit}（{share}）</translation>
    </message>
    <message>
        <source>{size} in sessions</source>
        <translation>会话中 {size}</translation>
    </message>
    <message>
        <source>{size} in sessions, {can_go} can be released now</source>
        <translation>会话中 {size}，现在可释放 {can_go}</translation>
    </message>
    <message>
        <source>grows {size} an hour</source>
        <translation>每小时增长 {size}</translation>
    </message>
    <message>
        <source>grows {size} an hour, full in {time}</source>
        <translation>每小时增长 {size}，{time} 后占满</translation>
    </message>
    <message>
        <source>Heap {before} → {after}</source>
        <translation>堆 {before} → {after}</translation>
    </message>
    <message>
        <source>Heap {before} → {after}; its next full collection has not come within {time}, more comes back then</source>
        <translation>堆 {before} → {after}；{time} 内尚未完整回收，届时会收回更多</translation>
    </message>
    <message>
        <source>{sentence}, can be judged in {time}</source>
        <translation>{sentence}，{time} 后可判断</translation>
    </message>
    <message>
        <source>what is kept cannot be read</source>
        <translation>无法读取保留项目</translation>
    </message>
    <message>
        <source>measuring is paused</source>
        <translation>测量已暂停</translation>
    </message>
    <message>
        <source>what an earlier run left open has not been looked at</source>
        <translation>尚未检查先前运行遗留的操作</translation>
    </message>
    <message>
        <source>End it there, or it comes back each time</source>
        <translation>请在那里结束它，否则每次都会重新出现</translation>
    </message>
    <message>
        <source>See the session for what it does</source>
        <translation>请查看会话了解其活动</translation>
    </message>
    <message>
        <source>seen below it earlier</source>
        <translation>此前在其下见过</translation>
    </message>
    <message>
        <source>child of {pid}</source>
        <translation>{pid} 的子进程</translation>
    </message>
    <message>
        <source>started {pid}</source>
        <translation>启动了 {pid}</translation>
    </message>
    <message>
        <source>agentring hosts forbid {host} {permission}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hosts that are not known: {ascii}</source>
        <translation>未知的宿主：{ascii}</translation>
    </message>
    <message>
        <source>They are kept and have no effect; the hosts are {known}</source>
        <translation>会保留但不起作用；可用宿主：{known}</translation>
    </message>
    <message>
        <source>Its host cannot be asked to bring it back</source>
        <translation>无法请求其宿主恢复</translation>
    </message>
    <message>
        <source>It runs already; nothing to bring back</source>
        <translation>它已在运行，无需恢复</translation>
    </message>
    <message>
        <source>{title} did not answer within {resume_s} s. Look there whether the session is back</source>
        <translation>{title} 在 {resume_s} 秒内未应答。请在那里查看会话是否已恢复</translation>
    </message>
    <message>
        <source>Its adapter failed: {fault}</source>
        <translation>其适配器出错：{fault}</translation>
    </message>
    <message>
        <source>There is no command to run</source>
        <translation>没有可执行的命令</translation>
    </message>
    <message>
        <source>The terminal could not be started: {error}</source>
        <translation>无法启动终端：{error}</translation>
    </message>
    <message>
        <source>Its folder is not there any more: {folder}</source>
        <translation>其文件夹已不存在：{folder}</translation>
    </message>
    <message>
        <source>There is no screen to open a terminal on</source>
        <translation>没有可打开终端的屏幕</translation>
    </message>
    <message>
        <source>No terminal was found. Set TERMINAL to the one that you use</source>
        <translation>未找到终端。请将 TERMINAL 设为你使用的终端</translation>
    </message>
    <message>
        <source>The command holds a character that means something else to cmd</source>
        <translation>命令包含在 cmd 中另有含义的字符</translation>
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
        <translation>当前未运行</translation>
    </message>
    <message>
        <source>Its memory is counted, its states are not known; nothing of it is released.</source>
        <translation>其内存已计入，状态未知；不会释放。</translation>
    </message>
    <message>
        <source>this system tells resident sizes only</source>
        <translation>此系统仅提供常驻大小</translation>
    </message>
    <message>
        <source>Sums are upper bounds and are marked so.</source>
        <translation>总和为上限，已相应标注。</translation>
    </message>
    <message>
        <source>the {footprint_metric} of {unread} of {held} groups could not be read</source>
        <translation>{held} 组中有 {unread} 组的 {footprint_metric} 无法读取</translation>
    </message>
    <message>
        <source>Their resident size is shown instead, as an upper bound.</source>
        <translation>改为显示其常驻大小作为上限。</translation>
    </message>
    <message>
        <source>measured as {footprint_metric}</source>
        <translation>按 {footprint_metric} 测量</translation>
    </message>
    <message>
        <source>{path} does not exist yet</source>
        <translation>{path} 尚不存在</translation>
    </message>
    <message>
        <source>Agent Ring ended in the middle of it; what it was to end may still run, see the sessions.</source>
        <translation>Agent Ring 在中途终止；应结束的进程可能仍在运行，请查看会话。</translation>
    </message>
    <message>
        <source>another program holds it for longer than {wait_s} s</source>
        <translation>另一程序占用它超过 {wait_s} 秒</translation>
    </message>
    <message>
        <source>Heap of {title}</source>
        <translation>{title} 的堆</translation>
    </message>
    <message>
        <source>Limit of {title}</source>
        <translation>{title} 的上限</translation>
    </message>
    <message>
        <source>measured_ms, samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a pack of samples is damaged</source>
        <translation>一组样本已损坏</translation>
    </message>
    <message>
        <source>the clock was set back by more than a day</source>
        <translation>时钟被调回超过一天</translation>
    </message>
    <message>
        <source>another Agent Ring records into this history</source>
        <translation>另一个 Agent Ring 正在写入此历史</translation>
    </message>
    <message>
        <source>Nothing is lost, its measurements are shown here too; end one of the two</source>
        <translation>不会丢失数据，其测量也显示在这里；请结束其中一个</translation>
    </message>
    <message>
        <source>the history could not be continued ({why}) and was set aside as {name}</source>
        <translation>历史无法继续（{why}），已另存为 {name}</translation>
    </message>
    <message>
        <source>A new one was begun; delete the old file when you do not need it</source>
        <translation>已新建历史；不需要旧文件时可将其删除</translation>
    </message>
    <message>
        <source>measurements cannot be recorded ({error})</source>
        <translation>无法记录测量数据（{error}）</translation>
    </message>
    <message>
        <source>Make room or allow writing there; recording goes on by itself, measuring never stopped</source>
        <translation>请腾出空间或允许写入；记录会自动继续，测量从未中断</translation>
    </message>
    <message>
        <source>no turn has begun yet</source>
        <translation>尚未开始回复</translation>
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
        <translation>启动其程序</translation>
    </message>
    <message>
        <source>It asks for a permission</source>
        <translation>它正在请求许可</translation>
    </message>
    <message>
        <source>Its notice: {value}</source>
        <translation>其提示：{value}</translation>
    </message>
    <message>
        <source>A turn is open: nothing came after the last message or tool result</source>
        <translation>仍在回复：最后一条消息或工具结果之后没有内容</translation>
    </message>
    <message>
        <source>The log does not tell whether the turn ended</source>
        <translation>日志未说明回复是否结束</translation>
    </message>
    <message>
        <source>It will wake up by itself{due}</source>
        <translation>稍后会自行唤醒{due}</translation>
    </message>
    <message>
        <source>[Request interrupted by user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without id {calls}</source>
        <translation>没有 ID {calls}</translation>
    </message>
    <message>
        <source>{who} is asked to end</source>
        <translation>请求 {who} 结束</translation>
    </message>
    <message>
        <source>{who} is ended at once</source>
        <translation>立即结束 {who}</translation>
    </message>
    <message>
        <source>Claude Code is asked to stop the session</source>
        <translation>请求 Claude Code 停止会话</translation>
    </message>
    <message>
        <source>Claude Code says it is idle</source>
        <translation>Claude Code 报告它空闲</translation>
    </message>
    <message>
        <source>Claude Code says a turn is running</source>
        <translation>Claude Code 报告正在回复</translation>
    </message>
    <message>
        <source>Claude Code says it waits for you</source>
        <translation>Claude Code 报告它在等待你</translation>
    </message>
    <message>
        <source>Claude Code says a background shell still runs</source>
        <translation>Claude Code 报告有后台 Shell 仍在运行</translation>
    </message>
    <message>
        <source>Claude Code offers no “{name}” for this session</source>
        <translation>Claude Code 不为此会话提供“{name}”</translation>
    </message>
    <message>
        <source>its session record, read earlier</source>
        <translation>其会话记录，先前读取</translation>
    </message>
    <message>
        <source>its session record</source>
        <translation>其会话记录</translation>
    </message>
    <message>
        <source>the session record cannot be read ({fault})</source>
        <translation>无法读取会话记录（{fault}）</translation>
    </message>
    <message>
        <source>Restart that session</source>
        <translation>请重启该会话</translation>
    </message>
    <message>
        <source>session record</source>
        <translation>会话记录</translation>
    </message>
    <message>
        <source>process {pid}</source>
        <translation>进程 {pid}</translation>
    </message>
    <message>
        <source>its session record, which is not understood</source>
        <translation>其会话记录，无法理解</translation>
    </message>
    <message>
        <source>the daemon's roster</source>
        <translation>守护进程的名单</translation>
    </message>
    <message>
        <source>handed over by a background session</source>
        <translation>由后台会话移交</translation>
    </message>
    <message>
        <source>the one log begun since, in its folder</source>
        <translation>其文件夹中此后唯一新建的日志</translation>
    </message>
    <message>
        <source>its session record, and its newer log</source>
        <translation>其会话记录和较新的日志</translation>
    </message>
    <message>
        <source>its program; two newer logs could be its own</source>
        <translation>其程序；有两个较新的日志可能属于它</translation>
    </message>
    <message>
        <source>a team-mate of the session</source>
        <translation>会话的队友</translation>
    </message>
    <message>
        <source>runs the session</source>
        <translation>运行该会话</translation>
    </message>
    <message>
        <source>started by the session's process</source>
        <translation>由会话的进程启动</translation>
    </message>
    <message>
        <source>The team-mate {name} waits for you</source>
        <translation>队友 {name} 在等待你</translation>
    </message>
    <message>
        <source>The team-mate {name} works</source>
        <translation>队友 {name} 正在工作</translation>
    </message>
    <message>
        <source>What the team-mate {name} does cannot be told</source>
        <translation>无法判断队友 {name} 的活动</translation>
    </message>
    <message>
        <source>Its session record cannot be read</source>
        <translation>无法读取其会话记录</translation>
    </message>
    <message>
        <source>Claude Code says it waits for you: {waiting_for}</source>
        <translation>Claude Code 报告它在等待你：{waiting_for}</translation>
    </message>
    <message>
        <source>subagent log</source>
        <translation>子代理日志</translation>
    </message>
    <message>
        <source>the log cannot be read ({fault})</source>
        <translation>无法读取日志（{fault}）</translation>
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
        <translation>无法读取文件夹（{fault}）</translation>
    </message>
    <message>
        <source>cannot be looked at ({fault})</source>
        <translation>无法查看（{fault}）</translation>
    </message>
    <message>
        <source>cannot be read ({fault})</source>
        <translation>无法读取（{fault}）</translation>
    </message>
    <message>
        <source>Background sessions may be shown incompletely</source>
        <translation>后台会话可能显示不完整</translation>
    </message>
    <message>
        <source>session record of process {pid}</source>
        <translation>进程 {pid} 的会话记录</translation>
    </message>
    <message>
        <source>no complete JSON record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} could not be started: {fault}</source>
        <translation>无法启动 {value}：{fault}</translation>
    </message>
    <message>
        <source>{value} {value2} did not answer within {timeout_s} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept ready for the next background session</source>
        <translation>为下一个后台会话备用</translation>
    </message>
    <message>
        <source>its program, run as part of the host</source>
        <translation>其程序，作为宿主的一部分运行</translation>
    </message>
    <message>
        <source>an MCP server for another program</source>
        <translation>供其他程序使用的 MCP 服务器</translation>
    </message>
    <message>
        <source>a command of the host</source>
        <translation>宿主的命令</translation>
    </message>
    <message>
        <source>its program with all tools off</source>
        <translation>其程序，已关闭所有工具</translation>
    </message>
    <message>
        <source>its program, forked from another session</source>
        <translation>其程序，由另一会话派生</translation>
    </message>
    <message>
        <source>{flag} in its arguments</source>
        <translation>参数中的 {flag}</translation>
    </message>
    <message>
        <source>the session variable that it inherited</source>
        <translation>继承的会话变量</translation>
    </message>
    <message>
        <source>its session file</source>
        <translation>其会话文件</translation>
    </message>
    <message>
        <source>the session of its folder that the hub runs</source>
        <translation>由中枢运行的其文件夹的会话</translation>
    </message>
    <message>
        <source>session file</source>
        <translation>会话文件</translation>
    </message>
    <message>
        <source>the hub for all terminals</source>
        <translation>所有终端共用的中枢</translation>
    </message>
    <message>
        <source>That is not offered any more. Look again</source>
        <translation>已不再提供。请重新查看</translation>
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
        <translation>已不存在</translation>
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
        <translation>有 {strange} 项无法理解</translation>
    </message>
    <message>
        <source>cannot be read ({value})</source>
        <translation>无法读取（{value}）</translation>
    </message>
    <message>
        <source>is no list of sessions</source>
        <translation>不是会话列表</translation>
    </message>
    <message>
        <source>If this stays, restart Codeman, which writes it anew</source>
        <translation>若持续如此，请重启 Codeman，它会重新写入</translation>
    </message>
    <message>
        <source>Nothing was written in its terminal since</source>
        <translation>此后终端没有输出</translation>
    </message>
    <message>
        <source>The server saw no output since</source>
        <translation>此后服务器未见输出</translation>
    </message>
    <message>
        <source>The server saw no output since it came back</source>
        <translation>服务器恢复后未见输出</translation>
    </message>
    <message>
        <source>Nothing came into its log since</source>
        <translation>此后日志没有新内容</translation>
    </message>
    <message>
        <source>The agent's hook said that it is done</source>
        <translation>代理的钩子报告已完成</translation>
    </message>
    <message>
        <source>Codeman says idle, which alone proves nothing</source>
        <translation>Codeman 报告空闲，但仅此不足为凭</translation>
    </message>
    <message>
        <source>Codeman says {value}</source>
        <translation>Codeman 报告 {value}</translation>
    </message>
    <message>
        <source>Codeman says busy, but for half an hour nothing was written: its status is stuck</source>
        <translation>Codeman 报告忙碌，但半小时没有输出：状态已卡住</translation>
    </message>
    <message>
        <source>Codeman says busy</source>
        <translation>Codeman 报告忙碌</translation>
    </message>
    <message>
        <source>It is a shell, in which somebody may be at work</source>
        <translation>这是一个 Shell，可能有人在使用</translation>
    </message>
    <message>
        <source>It is open in a terminal besides Codeman's own</source>
        <translation>除 Codeman 外还在终端中打开</translation>
    </message>
    <message>
        <source>It waits for your approval in Codeman</source>
        <translation>正在 Codeman 中等待你批准</translation>
    </message>
    <message>
        <source>Codeman gives it new work by itself (respawn is on)</source>
        <translation>Codeman 会自动给它新任务（已开启 respawn）</translation>
    </message>
    <message>
        <source>It goes on by itself (a Ralph loop is active)</source>
        <translation>它会自行继续（Ralph 循环处于活动状态）</translation>
    </message>
    <message>
        <source>A task of it is running</source>
        <translation>其任务正在运行</translation>
    </message>
    <message>
        <source>{running} tasks of it are running</source>
        <translation>其 {running} 个任务正在运行</translation>
    </message>
    <message>
        <source>It works on a task of Codeman's queue</source>
        <translation>正在处理 Codeman 队列中的任务</translation>
    </message>
    <message>
        <source>{active} subagents are at work</source>
        <translation>{active} 个子代理正在工作</translation>
    </message>
    <message>
        <source>A scheduled run of Codeman uses it</source>
        <translation>Codeman 的计划任务正在使用它</translation>
    </message>
    <message>
        <source>A scheduled run of Codeman is at work in its folder</source>
        <translation>Codeman 的计划任务正在其文件夹中工作</translation>
    </message>
    <message>
        <source>Codeman is asked to close the session</source>
        <translation>请求 Codeman 关闭会话</translation>
    </message>
    <message>
        <source>Codeman is asked to take it off its list</source>
        <translation>请求 Codeman 将其从列表移除</translation>
    </message>
    <message>
        <source>The agent (Codeman, which does not run, will list the session until it is closed there)</source>
        <translation>代理（Codeman 未运行，在那里关闭之前仍会列出该会话）</translation>
    </message>
    <message>
        <source>Codeman starts it again, as a new session with the same conversation</source>
        <translation>Codeman 会以新会话重新启动，保留同一对话</translation>
    </message>
    <message>
        <source>Codeman starts it again; no log of its conversation was found, so it may begin anew</source>
        <translation>Codeman 会重新启动；未找到对话日志，可能从头开始</translation>
    </message>
    <message>
        <source>Its agent runs on another computer, so Agent Ring leaves it alone</source>
        <translation>其代理在另一台电脑上运行，Agent Ring 不会处理</translation>
    </message>
    <message>
        <source>Its agent runs in a container, so Agent Ring leaves it alone</source>
        <translation>其代理在容器中运行，Agent Ring 不会处理</translation>
    </message>
    <message>
        <source>It belongs to another user of Codeman, so Agent Ring leaves it alone</source>
        <translation>它属于 Codeman 的其他用户，Agent Ring 不会处理</translation>
    </message>
    <message>
        <source>Its log cannot be read ({log_fault})</source>
        <translation>无法读取其日志（{log_fault}）</translation>
    </message>
    <message>
        <source>Codeman runs it for one task and waits for its answer</source>
        <translation>Codeman 用它执行一项任务并在等待结果</translation>
    </message>
    <message>
        <source>What started it is gone, and nothing can reach it any more</source>
        <translation>启动者已消失，已无法被访问</translation>
    </message>
    <message>
        <source>What Codeman says is old: {what}</source>
        <translation>Codeman 的信息已过时：{what}</translation>
    </message>
    <message>
        <source>Its pane is gone, so Codeman cannot reach its agent any more</source>
        <translation>其窗格已消失，Codeman 无法再访问代理</translation>
    </message>
    <message>
        <source>What Codeman says of it is not known: {what}</source>
        <translation>Codeman 的信息未知：{what}</translation>
    </message>
    <message>
        <source>Codeman has let go of it and still keeps it in tmux</source>
        <translation>Codeman 已放弃它，但仍保留在 tmux 中</translation>
    </message>
    <message>
        <source>Codeman does not list it; that is looked at once more</source>
        <translation>Codeman 未列出它，将再次检查</translation>
    </message>
    <message>
        <source>Codeman's server does not run; the session lives on in tmux</source>
        <translation>Codeman 的服务器未运行；会话仍在 tmux 中</translation>
    </message>
    <message>
        <source>{down}, and a shell there would start its agent again. Start Codeman to release it</source>
        <translation>{down}，且那里的 Shell 会重新启动代理。请启动 Codeman 以释放</translation>
    </message>
    <message>
        <source>{down}. Start Codeman to release it</source>
        <translation>{down}。请启动 Codeman 以释放</translation>
    </message>
    <message>
        <source>Its program has ended{word}; Codeman still lists it</source>
        <translation>其程序已结束{word}；Codeman 仍列出它</translation>
    </message>
    <message>
        <source>Nothing runs in it; Codeman lists it</source>
        <translation>其中没有运行内容；Codeman 仍列出它</translation>
    </message>
    <message>
        <source>Start it again in Codeman, in this folder</source>
        <translation>请在 Codeman 中于此文件夹重新启动</translation>
    </message>
    <message>
        <source>started by its server for one task</source>
        <translation>由其服务器为一项任务启动</translation>
    </message>
    <message>
        <source>the agent's variables, in a pane of tmux</source>
        <translation>代理的变量，位于 tmux 窗格</translation>
    </message>
    <message>
        <source>starts the agent, and stays above it</source>
        <translation>启动代理并位于其上</translation>
    </message>
    <message>
        <source>the agent's variables, below the shell of a pane</source>
        <translation>代理的变量，位于窗格的 Shell 之下</translation>
    </message>
    <message>
        <source>the agent's variables; nothing is above it any more</source>
        <translation>代理的变量；其上已无进程</translation>
    </message>
    <message>
        <source>a further pane of its tmux session</source>
        <translation>其 tmux 会话的另一窗格</translation>
    </message>
    <message>
        <source>the pane of its tmux session</source>
        <translation>其 tmux 会话的窗格</translation>
    </message>
    <message>
        <source>its server's client of tmux</source>
        <translation>其服务器的 tmux 客户端</translation>
    </message>
    <message>
        <source>a check of its own, in a tmux session of its own</source>
        <translation>自身的检查，在独立的 tmux 会话中</translation>
    </message>
    <message>
        <source>a tmux server with nothing but its sessions</source>
        <translation>仅含其会话的 tmux 服务器</translation>
    </message>
    <message>
        <source>its server</source>
        <translation>其服务器</translation>
    </message>
    <message>
        <source>its tmux server</source>
        <translation>其 tmux 服务器</translation>
    </message>
    <message>
        <source>a view on a session of its own</source>
        <translation>对自身会话的视图</translation>
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
        <translation>Codeman 不为此会话提供“{name}”</translation>
    </message>
    <message>
        <source>Codeman did not close it: {what}. Close it in Codeman</source>
        <translation>Codeman 未将其关闭：{what}。请在 Codeman 中关闭</translation>
    </message>
    <message>
        <source>It runs again by now</source>
        <translation>现已重新运行</translation>
    </message>
    <message>
        <source>Its log cannot be read any more ({value})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It works by now: {works}</source>
        <translation>现在正在工作：{works}</translation>
    </message>
    <message>
        <source>Something was written in its terminal since it was looked at. Look again</source>
        <translation>查看之后终端有新输出。请重新查看</translation>
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
        <translation>其守护进程</translation>
    </message>
    <message>
        <source>its daemon's own list</source>
        <translation>守护进程自己的列表</translation>
    </message>
    <message>
        <source>a view on the daemon</source>
        <translation>守护进程的视图</translation>
    </message>
    <message>
        <source>its log, which it holds open</source>
        <translation>其打开的日志</translation>
    </message>
    <message>
        <source>the session variable of its tools</source>
        <translation>其工具的会话变量</translation>
    </message>
    <message>
        <source>started in a group of its own, without a session's variable</source>
        <translation>在独立的组中启动，没有会话变量</translation>
    </message>
    <message>
        <source>the daemon for all terminals</source>
        <translation>所有终端共用的守护进程</translation>
    </message>
    <message>
        <source>an adapter for editors</source>
        <translation>编辑器适配器</translation>
    </message>
    <message>
        <source>a part of it</source>
        <translation>其一部分</translation>
    </message>
    <message>
        <source>its desktop app</source>
        <translation>其桌面应用</translation>
    </message>
    <message>
        <source>a view on a server</source>
        <translation>服务器的视图</translation>
    </message>
    <message>
        <source>resume in its arguments</source>
        <translation>参数中的 resume</translation>
    </message>
    <message>
        <source>part of the host</source>
        <translation>宿主的一部分</translation>
    </message>
    <message>
        <source>its server for one client</source>
        <translation>单个客户端的服务器</translation>
    </message>
    <message>
        <source>its lock</source>
        <translation>其锁文件</translation>
    </message>
    <message>
        <source>list of open sessions</source>
        <translation>打开的会话列表</translation>
    </message>
    <message>
        <source>Craft Agents offers no “{name}” for this session</source>
        <translation>Craft Agents 不为此会话提供“{name}”</translation>
    </message>
    <message>
        <source>Nothing is put into Craft Agents. Look again before you agree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the id of its session's record: certain</source>
        <translation>其会话记录的 ID：确定</translation>
    </message>
    <message>
        <source>no session on disk has that id</source>
        <translation>磁盘上没有此 ID 的会话</translation>
    </message>
    <message>
        <source>started by its server; nothing tells for which session</source>
        <translation>由其服务器启动；无法得知属于哪个会话</translation>
    </message>
    <message>
        <source>it runs in its session's own folder: certain</source>
        <translation>在会话自己的文件夹中运行：确定</translation>
    </message>
    <message>
        <source>{session_dir}, and it runs in that session's folder: nearly certain</source>
        <translation>{session_dir}，且在该会话的文件夹中运行：几乎确定</translation>
    </message>
    <message>
        <source>its folder, and its log begins with it: nearly certain</source>
        <translation>其文件夹，且日志以此开头：几乎确定</translation>
    </message>
    <message>
        <source>its folder, and the nearest first message: likely</source>
        <translation>其文件夹和最接近的首条消息：很可能</translation>
    </message>
    <message>
        <source>, as with another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a short question, begun together with its session's agent</source>
        <translation>简短提问，与会话的代理同时开始</translation>
    </message>
    <message>
        <source>a short question; {session_dir} may name another session</source>
        <translation>简短提问；{session_dir} 可能指向另一会话</translation>
    </message>
    <message>
        <source>its server is gone; {session_dir} may name another session</source>
        <translation>其服务器已消失；{session_dir} 可能指向另一会话</translation>
    </message>
    <message>
        <source>run by its session's agent under its own name</source>
        <translation>由会话的代理以自己的名义运行</translation>
    </message>
    <message>
        <source>it started the helpers of this session</source>
        <translation>启动了此会话的辅助进程</translation>
    </message>
    <message>
        <source>a helper of its server that no source of a workspace starts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source “{slug}”, {why}</source>
        <translation>来源“{slug}”，{why}</translation>
    </message>
    <message>
        <source>{session_dir}, and begun just before its backend: nearly certain</source>
        <translation>{session_dir}，且在其后端之前不久开始：几乎确定</translation>
    </message>
    <message>
        <source>{session_dir}, and begun with its first message: nearly certain</source>
        <translation>{session_dir}，且与首条消息同时开始：几乎确定</translation>
    </message>
    <message>
        <source>source “{slug}” and {session_dir} alone: likely</source>
        <translation>仅来源“{slug}”和 {session_dir}：很可能</translation>
    </message>
    <message>
        <source>source “{slug}”, and no other session is without a helper of it: likely</source>
        <translation>来源“{slug}”，且其他会话都有其辅助进程：很可能</translation>
    </message>
    <message>
        <source>source “{slug}”, and every session that uses it has its own helper</source>
        <translation>来源“{slug}”，使用它的每个会话都有自己的辅助进程</translation>
    </message>
    <message>
        <source>source “{slug}”, which no session has switched on: left over, from which cannot be told</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source “{slug}”, which it alone uses; more of its helpers run than it needs</source>
        <translation>来源“{slug}”，仅由它使用；运行的辅助进程多于所需</translation>
    </message>
    <message>
        <source>source “{slug}”, which several sessions use; it cannot be told which: not certain</source>
        <translation>来源“{slug}”，由多个会话使用；无法判断是哪个：不确定</translation>
    </message>
    <message>
        <source>its session was deleted; {why}</source>
        <translation>其会话已删除；{why}</translation>
    </message>
    <message>
        <source>has a first line that is no session's header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not there</source>
        <translation>不存在</translation>
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
        <translation>其会话文件夹已删除</translation>
    </message>
    <message>
        <source>Its session record {fault}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its agent's log cannot be read</source>
        <translation>无法读取其代理的日志</translation>
    </message>
    <message>
        <source>Its agent's log is not found, so that background agents could not be seen</source>
        <translation>未找到其代理的日志，因此无法看到后台代理</translation>
    </message>
    <message>
        <source>Its server says that a turn runs</source>
        <translation>其服务器报告正在回复</translation>
    </message>
    <message>
        <source>No backend of it runs; this was its last message</source>
        <translation>其后端未运行；这是最后一条消息</translation>
    </message>
    <message>
        <source>Its server said that no turn runs, before that</source>
        <translation>此前其服务器报告没有在回复</translation>
    </message>
    <message>
        <source>Its server says that no turn runs</source>
        <translation>其服务器报告没有在回复</translation>
    </message>
    <message>
        <source>This was its last message</source>
        <translation>这是最后一条消息</translation>
    </message>
    <message>
        <source>Its last message was cut off before this backend began</source>
        <translation>最后一条消息在此后端启动前中断</translation>
    </message>
    <message>
        <source>Its last message has no answer yet</source>
        <translation>最后一条消息尚无回复</translation>
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
        <translation>询问服务器哪些会话正在工作</translation>
    </message>
    <message>
        <source>sign in to that server with it, on this computer, and ask for the list of sessions every 10 s at most</source>
        <translation>用它在这台电脑上登录该服务器，最多每 10 秒请求一次会话列表</translation>
    </message>
    <message>
        <source>The token stays in memory: it is not stored, shown, logged or exported.</source>
        <translation>令牌仅保留在内存中：不存储、不显示、不记录、不导出。</translation>
    </message>
    <message>
        <source>It would let its holder do all that you can do there. Agent Ring reads no message and deletes nothing.</source>
        <translation>持有者可执行你在那里的一切操作。Agent Ring 不读取消息，也不删除任何内容。</translation>
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
        <translation>会话的后端</translation>
    </message>
    <message>
        <source>Its server is asked to let go of it</source>
        <translation>请求其服务器释放它</translation>
    </message>
    <message>
        <source>Its server is asked to close its helpers</source>
        <translation>请求其服务器关闭辅助进程</translation>
    </message>
    <message>
        <source>Its next message starts it again, with its history</source>
        <translation>下一条消息会连同历史重新启动它</translation>
    </message>
    <message>
        <source>its server cannot be asked now</source>
        <translation>现在无法询问其服务器</translation>
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
        <translation>其中已开始回复</translation>
    </message>
    <message>
        <source>it got a message just now</source>
        <translation>刚刚收到消息</translation>
    </message>
    <message>
        <source>{comes_back}; its sources have to be switched on again: {closed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} offers no “{name}” for this session</source>
        <translation>{title} 不为此会话提供“{name}”</translation>
    </message>
    <message>
        <source>a part of its program</source>
        <translation>其程序的一部分</translation>
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
        <translation>无法读取其日志或记录</translation>
    </message>
    <message>
        <source>{title} is asked to end the session</source>
        <translation>请求 {title} 结束会话</translation>
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
        <translation>其服务器的视图</translation>
    </message>
    <message>
        <source>a helper of the host</source>
        <translation>宿主的辅助进程</translation>
    </message>
    <message>
        <source>kept ready for the next session</source>
        <translation>为下一个会话备用</translation>
    </message>
    <message>
        <source>{name} in its environment</source>
        <translation>环境变量中的 {name}</translation>
    </message>
    <message>
        <source>the variable that it inherited</source>
        <translation>继承的变量</translation>
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
        <translation>{what}，另有 {value} 项</translation>
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
        <translation>宿主中的插件</translation>
    </message>
    <message>
        <source>its host's cache on disk</source>
        <translation>宿主的磁盘缓存</translation>
    </message>
    <message>
        <source>agentring hosts dsh install-plugin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It needs the plugin to be released: `{install}` puts it into its host</source>
        <translation>需要插件才能释放：`{install}` 可将其装入宿主</translation>
    </message>
    <message>
        <source>Its host is asked to unload it</source>
        <translation>请求宿主将其卸载</translation>
    </message>
    <message>
        <source>a background job of it runs</source>
        <translation>其后台任务正在运行</translation>
    </message>
    <message>
        <source>it has a schedule that is still to run</source>
        <translation>其计划任务尚未运行</translation>
    </message>
    <message>
        <source>a terminal of it is open, which would be killed</source>
        <translation>其终端已打开，会被结束</translation>
    </message>
    <message>
        <source>it is open in a view, which would hold its memory</source>
        <translation>已在视图中打开，会继续占用内存</translation>
    </message>
    <message>
        <source>input waits in it that it has not taken up</source>
        <translation>其中有尚未处理的输入</translation>
    </message>
    <message>
        <source>this version of the host offers the plugin no way to unload it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DSH offers no “{name}” for this session</source>
        <translation>DSH 不为此会话提供“{name}”</translation>
    </message>
    <message>
        <source>its host refuses: {reasons}</source>
        <translation>宿主拒绝：{reasons}</translation>
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
        <translation>其打开的日志锁</translation>
    </message>
    <message>
        <source>its host's own list</source>
        <translation>宿主自己的列表</translation>
    </message>
    <message>
        <source>started by its host for all sessions</source>
        <translation>由宿主为所有会话启动</translation>
    </message>
    <message>
        <source>The program that started it is attached to it</source>
        <translation>启动它的程序仍与其相连</translation>
    </message>
    <message>
        <source>Its history is on disk, DSH lists it</source>
        <translation>其历史在磁盘上，DSH 会列出它</translation>
    </message>
    <message>
        <source>This version of its host offers the plugin no way to release it</source>
        <translation>此版本的宿主不允许插件释放</translation>
    </message>
    <message>
        <source>Its host would refuse: {value}</source>
        <translation>宿主会拒绝：{value}</translation>
    </message>
    <message>
        <source>A turn is open: its host says that it runs</source>
        <translation>仍在回复：宿主报告它正在运行</translation>
    </message>
    <message>
        <source>{working} subagents are at work</source>
        <translation>{working} 个子代理正在工作</translation>
    </message>
    <message>
        <source>A background job runs: {value}</source>
        <translation>后台任务正在运行：{value}</translation>
    </message>
    <message>
        <source>A background job runs</source>
        <translation>后台任务正在运行</translation>
    </message>
    <message>
        <source>A schedule of it is still to run</source>
        <translation>其计划任务尚未运行</translation>
    </message>
    <message>
        <source>A terminal of it is open in its host</source>
        <translation>其终端在宿主中打开</translation>
    </message>
    <message>
        <source>It is open in a view of its host</source>
        <translation>已在宿主的视图中打开</translation>
    </message>
    <message>
        <source>Input waits in it that it has not taken up</source>
        <translation>其中有尚未处理的输入</translation>
    </message>
    <message>
        <source>Its host says that it is idle</source>
        <translation>宿主报告它空闲</translation>
    </message>
    <message>
        <source>The plugin cannot be asked: {what}</source>
        <translation>无法询问插件：{what}</translation>
    </message>
    <message>
        <source>Nothing on disk tells what it is doing</source>
        <translation>磁盘上没有说明其活动的内容</translation>
    </message>
    <message>
        <source>No prompt was sent to it yet</source>
        <translation>尚未向其发送提示</translation>
    </message>
    <message>
        <source>it holds {sessions} live sessions, of which {sessions_limit} are shown</source>
        <translation>它保有 {sessions} 个活动会话，显示其中 {sessions_limit} 个</translation>
    </message>
    <message>
        <source>Release some, or restart it when nothing runs</source>
        <translation>请释放一些，或在空闲时重启</translation>
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
        <translation>若持续如此，请重启 DSH 或重新安装插件</translation>
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
        <translation>它仍列在 DSH 中{place}；打开或下一条提示会将其唤醒</translation>
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
        <translation>堆 {used_bytes}/{limit_bytes}</translation>
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
        <translation>配置“{profile}”</translation>
    </message>
    <message>
        <source>Profile “{profile}” in {home}</source>
        <translation>{home} 中的配置“{profile}”</translation>
    </message>
    <message>
        <source>{where}: {value}. Nothing else was changed</source>
        <translation>{where}：{value}。未更改其他内容</translation>
    </message>
    <message>
        <source>The plugin is missing from this installation. Install Agent Ring again</source>
        <translation>此安装中缺少插件。请重新安装 Agent Ring</translation>
    </message>
    <message>
        <source>DSH profile {name}</source>
        <translation>DSH 配置 {name}</translation>
    </message>
    <message>
        <source>cannot tell whether the plugin is installed: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See docs/hosts.md</source>
        <translation>参见 docs/hosts.md</translation>
    </message>
    <message>
        <source>the plugin is not installed in {folder}</source>
        <translation>{folder} 中未安装插件</translation>
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
        <translation>将插件 {version} 拷贝到 {target}</translation>
    </message>
    <message>
        <source>delete the plugin's files in {data}</source>
        <translation>删除 {data} 中的插件文件</translation>
    </message>
    <message>
        <source>take our row out of {path}, nothing else of it</source>
        <translation>从 {path} 移除我们的条目，不涉及其他内容</translation>
    </message>
    <message>
        <source>keep a copy of {path} beside it as {backup_name}</source>
        <translation>在旁边将 {path} 备份为 {backup_name}</translation>
    </message>
    <message>
        <source>write one row “agentring” into {path}, which names {module}</source>
        <translation>在 {path} 中写入一行“agentring”，指向 {module}</translation>
    </message>
    <message>
        <source>A DSH that runs takes it up within seconds; one older than 0.2 needs a restart</source>
        <translation>运行中的 DSH 数秒内生效；低于 0.2 的版本需要重启</translation>
    </message>
    <message>
        <source>run `{line}`, which adds it to {value}</source>
        <translation>执行 `{line}`，将其添加到 {value}</translation>
    </message>
    <message>
        <source>{where}: {value}. It is left alone</source>
        <translation>{where}：{value}。保持原样</translation>
    </message>
    <message>
        <source>The host's own command was not found: `dsh` and `pnpm` must be on the PATH</source>
        <translation>未找到宿主命令：`dsh` 和 `pnpm` 必须在 PATH 中</translation>
    </message>
    <message>
        <source>`{line}` did not end within {command_timeout_s} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its host's own command</source>
        <translation>宿主自己的命令</translation>
    </message>
    <message>
        <source>a row in {patch_name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is left alone: {why}. docs/hosts.md has the row to write by hand</source>
        <translation>{path} 保持原样：{why}。docs/hosts.md 中有可手动添加的内容</translation>
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
        <translation>{path} 已被更改，请重试</translation>
    </message>
    <message>
        <source>{path} is read-only and left alone. Make it writable first</source>
        <translation>{path} 为只读，保持原样。请先设为可写</translation>
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
        <translation>其 {profile} 程序</translation>
    </message>
    <message>
        <source>its host, a child of the desktop app</source>
        <translation>其宿主，桌面应用的子进程</translation>
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
        <translation>启动后在其文件夹中写入的日志</translation>
    </message>
    <message>
        <source>the variable that its children carry</source>
        <translation>其子进程携带的变量</translation>
    </message>
    <message>
        <source>its arguments are those of the configured server “{name}”</source>
        <translation>其参数与已配置的服务器“{name}”一致</translation>
    </message>
    <message>
        <source>it is not complete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct it; until then its helpers may count as work of their session, which protects it</source>
        <translation>请更正；在此之前其辅助进程可能计为会话的工作，从而保护会话</translation>
    </message>
    <message>
        <source>the configuration cannot be read ({why})</source>
        <translation>无法读取配置（{why}）</translation>
    </message>
    <message>
        <source>OpenCode is asked to end</source>
        <translation>请求 OpenCode 结束</translation>
    </message>
    <message>
        <source>OpenCode is asked once more to end</source>
        <translation>再次请求 OpenCode 结束</translation>
    </message>
    <message>
        <source>OpenCode is ended at once</source>
        <translation>立即结束 OpenCode</translation>
    </message>
    <message>
        <source>OpenCode is asked to end its helpers</source>
        <translation>请求 OpenCode 结束其辅助进程</translation>
    </message>
    <message>
        <source>OpenCode is asked to end this folder's helpers</source>
        <translation>请求 OpenCode 结束此文件夹的辅助进程</translation>
    </message>
    <message>
        <source>OpenCode offers no “{name}” for this session</source>
        <translation>OpenCode 不为此会话提供“{name}”</translation>
    </message>
    <message>
        <source>an earlier look still reads it</source>
        <translation>先前的检查仍在读取</translation>
    </message>
    <message>
        <source>Its database cannot be read</source>
        <translation>无法读取其数据库</translation>
    </message>
    <message>
        <source>the session last used in its folder since it began</source>
        <translation>启动后其文件夹中最近使用的会话</translation>
    </message>
    <message>
        <source>its database, which is not understood</source>
        <translation>其数据库，无法理解</translation>
    </message>
    <message>
        <source>its database</source>
        <translation>其数据库</translation>
    </message>
    <message>
        <source>A turn is open: its answer is not complete</source>
        <translation>仍在回复：其回复不完整</translation>
    </message>
    <message>
        <source>the only session that its server used since it began</source>
        <translation>其服务器启动后使用的唯一会话</translation>
    </message>
    <message>
        <source>OpenCode cannot be asked: {fault}</source>
        <translation>无法询问 OpenCode：{fault}</translation>
    </message>
    <message>
        <source>It waits for a permission</source>
        <translation>它在等待许可</translation>
    </message>
    <message>
        <source>Its server says that a turn runs: {value}</source>
        <translation>其服务器报告正在回复：{value}</translation>
    </message>
    <message>
        <source>Its server lists no running turn</source>
        <translation>其服务器没有正在进行的回复</translation>
    </message>
    <message>
        <source>the database cannot be read: {what}</source>
        <translation>无法读取数据库：{what}</translation>
    </message>
    <message>
        <source>Sessions of terminals are shown as unknown</source>
        <translation>终端中的会话显示为无法判断</translation>
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
        <translation>OpenCode 子进程携带的变量</translation>
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
        <translation>其堆占用 {used_bytes}/{limit_bytes}</translation>
    </message>
    <message>
        <source>It grew by {growth_bytes_per_h} an hour; so it would be full in {left}</source>
        <translation>每小时增长 {growth_bytes_per_h}；照此将在 {left} 后占满</translation>
    </message>
    <message>
        <source>About {releasable_bytes} of it could be released</source>
        <translation>其中约 {releasable_bytes} 可以释放</translation>
    </message>
    <message>
        <source>The heap of {title} is at {heap} of its limit</source>
        <translation>{title} 的堆已达上限的 {heap}</translation>
    </message>
    <message>
        <source>A session of {title}</source>
        <translation>{title} 的一个会话</translation>
    </message>
    <message>
        <source>, in the middle of a turn</source>
        <translation>，当时正在回复</translation>
    </message>
    <message>
        <source>, in the middle of {turns} turns</source>
        <translation>，当时正在进行 {turns} 次回复</translation>
    </message>
    <message>
        <source>{who} was ended by Agent Ring{within}</source>
        <translation>{who} 已由 Agent Ring 结束{within}</translation>
    </message>
    <message>
        <source>{who} was killed by the kernel for lack of memory{within}</source>
        <translation>{who} 因内存不足被内核终止{within}</translation>
    </message>
    <message>
        <source>{who} ended with its heap at {heap} of its limit{within}</source>
        <translation>{who} 在堆达到上限的 {heap} 时终止{within}</translation>
    </message>
    <message>
        <source>{who} crashed ({fault}){within}</source>
        <translation>{who} 已崩溃（{fault}）{within}</translation>
    </message>
    <message>
        <source>{who} was restarted{within}</source>
        <translation>{who} 已重新启动{within}</translation>
    </message>
    <message>
        <source>{who} ended{within}; nothing tells why</source>
        <translation>{who} 已终止{within}；原因不明</translation>
    </message>
    <message>
        <source>A receipt names it; it was asked for from the {by_whom}</source>
        <translation>回执中有记录；由 {by_whom} 请求</translation>
    </message>
    <message>
        <source>, as told {age_s} before it was last seen</source>
        <translation>，为最后一次查看前 {age_s} 的数据</translation>
    </message>
    <message>
        <source>Its heap held {used_bytes} of {limit_bytes}{told}</source>
        <translation>其堆占用 {used_bytes}/{limit_bytes}{told}</translation>
    </message>
    <message>
        <source>The machine slept or measuring was paused meanwhile: it ended at an unknown time within {away}</source>
        <translation>电脑曾睡眠或测量暂停：在 {away} 内的未知时间终止</translation>
    </message>
    <message>
        <source>The machine was short of memory when it was last seen ({pressure}): {free} available</source>
        <translation>最后查看时电脑内存不足（{pressure}）：可用 {free}</translation>
    </message>
    <message>
        <source>within {value}</source>
        <translation>{value} 内</translation>
    </message>
    <message>
        <source>within the gap</source>
        <translation>在空缺期间</translation>
    </message>
    <message>
        <source>Another process of the same host took its place {when}: {pid}</source>
        <translation>同一宿主的另一进程 {when} 取而代之：{pid}</translation>
    </message>
    <message>
        <source>It is of another version</source>
        <translation>版本不同</translation>
    </message>
    <message>
        <source>the limit of its control group was met</source>
        <translation>已达其控制组的上限</translation>
    </message>
    <message>
        <source>the machine was out of memory</source>
        <translation>电脑内存耗尽</translation>
    </message>
    <message>
        <source>, with {resident_bytes} resident</source>
        <translation>，常驻 {resident_bytes}</translation>
    </message>
    <message>
        <source>The kernel log says that it was killed{held}: {limit}</source>
        <translation>内核日志记录其被终止{held}：{limit}</translation>
    </message>
    <message>
        <source>The kernel log tells of a fault of its own: {fault}</source>
        <translation>内核日志记录其自身错误：{fault}</translation>
    </message>
    <message>
        <source>The kernel log was read and does not name it</source>
        <translation>已读取内核日志，未提及它</translation>
    </message>
    <message>
        <source>The kernel log cannot be read: {unread}</source>
        <translation>无法读取内核日志：{unread}</translation>
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
        <translation>已重新运行，{after_s} 秒后发现</translation>
    </message>
    <message>
        <source>It runs again, seen {after_s} s later, started by {by}</source>
        <translation>已重新运行，{after_s} 秒后发现，由 {by} 启动</translation>
    </message>
    <message>
        <source>“{field}” is missing there or of another shape</source>
        <translation>其中缺少“{field}”或形式不同</translation>
    </message>
    <message>
        <source>Its memory is counted, its state is not known and nothing releases it; update Agent Ring</source>
        <translation>其内存已计入，状态未知，不会释放；请更新 Agent Ring</translation>
    </message>
    <message>
        <source>not understood{of}: {fact}</source>
        <translation>无法理解{of}：{fact}</translation>
    </message>
    <message>
        <source>no answer within {observe_timeout_s} s</source>
        <translation>{observe_timeout_s} 秒内无应答</translation>
    </message>
    <message>
        <source>a look failed ({name}: {error})</source>
        <translation>一次检查失败（{name}：{error}）</translation>
    </message>
    <message>
        <source>It goes on; what was shown before is older.</source>
        <translation>会继续进行；所显示的内容较旧。</translation>
    </message>
    <message>
        <source>its adapter failed: {fault}</source>
        <translation>适配器出错：{fault}</translation>
    </message>
    <message>
        <source>policy {name}</source>
        <translation>策略 {name}</translation>
    </message>
    <message>
        <source>Switch it on again, or `agentring policies on {name}`</source>
        <translation>请重新开启，或执行 `agentring policies on {name}`</translation>
    </message>
    <message>
        <source>It has switched itself off: what it released came back ({title})</source>
        <translation>已自行关闭：释放的内容又出现（{title}）</translation>
    </message>
    <message>
        <source>It has switched itself off: what it released is still there ({sentence})</source>
        <translation>已自行关闭：释放的内容仍存在（{sentence}）</translation>
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
        <translation>已请求结束</translation>
    </message>
    <message>
        <source>Ended at once</source>
        <translation>立即结束</translation>
    </message>
    <message>
        <source>Its helpers are asked to end</source>
        <translation>请求其辅助进程结束</translation>
    </message>
    <message>
        <source>Waiting for its helpers</source>
        <translation>等待其辅助进程</translation>
    </message>
    <message>
        <source>Waiting for the heap's next full collection</source>
        <translation>等待堆的下一次完整回收</translation>
    </message>
    <message>
        <source>Not begun: {not_begun}</source>
        <translation>未开始：{not_begun}</translation>
    </message>
    <message>
        <source>another Agent Ring on this computer has been acting for a minute</source>
        <translation>这台电脑上的另一个 Agent Ring 已操作一分钟</translation>
    </message>
    <message>
        <source>the journal cannot be written ({value})</source>
        <translation>无法写入操作记录（{value}）</translation>
    </message>
    <message>
        <source>Not begun: stopped by you</source>
        <translation>未开始：已由你停止</translation>
    </message>
    <message>
        <source>Not done: it is not there any more</source>
        <translation>未执行：已不存在</translation>
    </message>
    <message>
        <source>Not done: its host was started anew since the list was made</source>
        <translation>未执行：列表生成后其宿主已重新启动</translation>
    </message>
    <message>
        <source>Not done: its processes belong elsewhere now</source>
        <translation>未执行：其进程现属于别处</translation>
    </message>
    <message>
        <source>Not done: process {pid} runs another program since the list was made</source>
        <translation>未执行：列表生成后进程 {pid} 已运行其他程序</translation>
    </message>
    <message>
        <source>Not done: it runs in a new process since the list was made</source>
        <translation>未执行：列表生成后它在新进程中运行</translation>
    </message>
    <message>
        <source>its host offers no release</source>
        <translation>宿主不提供释放</translation>
    </message>
    <message>
        <source>It runs again in a new process</source>
        <translation>已在新进程中重新运行</translation>
    </message>
    <message>
        <source>{label}: not possible, the host is not known any more</source>
        <translation>{label}：无法执行，宿主已未知</translation>
    </message>
    <message>
        <source>no answer within {call_timeout_s} s</source>
        <translation>{call_timeout_s} 秒内无应答</translation>
    </message>
    <message>
        <source>Not cleared: {said_no}</source>
        <translation>未清除：{said_no}</translation>
    </message>
    <message>
        <source>Not released: {said_no}</source>
        <translation>未释放：{said_no}</translation>
    </message>
    <message>
        <source>Its host says that it is cleared, but still lists it</source>
        <translation>宿主称已清除，但仍列出它</translation>
    </message>
    <message>
        <source>Its host says that it is released, but still holds it{rest}</source>
        <translation>宿主称已释放，但仍保有它{rest}</translation>
    </message>
    <message>
        <source>Cleared; nothing of it ran</source>
        <translation>已清除；没有运行内容</translation>
    </message>
    <message>
        <source>Released inside its host, which goes on{rest}</source>
        <translation>已在宿主内释放，宿主继续运行{rest}</translation>
    </message>
    <message>
        <source>Not done: this cannot be asked of it</source>
        <translation>未执行：不支持此操作</translation>
    </message>
    <message>
        <source>{action}, which you were not asked about</source>
        <translation>{action}，未曾询问你</translation>
    </message>
    <message>
        <source>Not released: {reason}</source>
        <translation>未释放：{reason}</translation>
    </message>
    <message>
        <source>Not ended: {reason}</source>
        <translation>未结束：{reason}</translation>
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
        <translation>期间启动</translation>
    </message>
    <message>
        <source>stopped, does not react until it is continued</source>
        <translation>已停止，恢复前不会响应</translation>
    </message>
    <message>
        <source>waits for the system and cannot react</source>
        <translation>正在等待系统，无法响应</translation>
    </message>
    <message>
        <source>still runs</source>
        <translation>仍在运行</translation>
    </message>
    <message>
        <source>ended just now</source>
        <translation>刚刚结束</translation>
    </message>
    <message>
        <source>Nothing is released or ended until it can be: make room, or let this user write there.</source>
        <translation>在此之前不会释放或结束任何内容：请腾出空间，或允许此用户写入。</translation>
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
        <translation>其会话已消失，不会影响任何人</translation>
    </message>
    <message>
        <source>Idle for {idle_s}; the longest goes first</source>
        <translation>空闲 {idle_s}; 最久者优先</translation>
    </message>
    <message>
        <source>1 surplus backend</source>
        <translation>1 个多余后端</translation>
    </message>
    <message>
        <source>{surplus} surplus backends</source>
        <translation>{surplus} 个多余后端</translation>
    </message>
    <message>
        <source>{surplus}; the session keeps its current one</source>
        <translation>{surplus}; 会话保留当前后端</translation>
    </message>
    <message>
        <source>Its host holds what is left of it and would miss it</source>
        <translation>宿主持有其剩余部分，不能缺少</translation>
    </message>
    <message>
        <source>Recognised, not understood: its host speaks in another way than this version knows</source>
        <translation>已识别，但无法理解：宿主的表达方式与此版本所知不同</translation>
    </message>
    <message>
        <source>Cannot tell whose installation it belongs to</source>
        <translation>无法判断属于谁的安装</translation>
    </message>
    <message>
        <source>Another user's process</source>
        <translation>其他用户的进程</translation>
    </message>
    <message>
        <source>Only a session can be released</source>
        <translation>只能释放会话</translation>
    </message>
    <message>
        <source>Two sessions claim this process</source>
        <translation>有两个会话都声称拥有此进程</translation>
    </message>
    <message>
        <source>Its agent has ended, its host still lists it</source>
        <translation>其代理已结束，宿主仍列出它</translation>
    </message>
    <message>
        <source>{name} ({pid}) would start it again; stop it there</source>
        <translation>{name} ({pid}) 会重新启动它；请在那里停止</translation>
    </message>
    <message>
        <source>Idle, not yet confirmed by a second look</source>
        <translation>空闲，尚未经第二次检查确认</translation>
    </message>
    <message>
        <source>Its host offers no orderly end</source>
        <translation>宿主不提供正常结束方式</translation>
    </message>
    <message>
        <source>Idle for a short time only</source>
        <translation>仅空闲了很短时间</translation>
    </message>
    <message>
        <source>Ending it ends its container and all that runs there</source>
        <translation>结束它会结束其容器及其中运行的一切</translation>
    </message>
    <message>
        <source>Cannot tell which of its host's sessions it serves</source>
        <translation>无法判断它服务于宿主的哪个会话</translation>
    </message>
    <message>
        <source>It does nothing: {fault}</source>
        <translation>不执行操作：{fault}</translation>
    </message>
    <message>
        <source>Quiet hours until {value}:{value2}</source>
        <translation>安静时段至 {value}:{value2}</translation>
    </message>
    <message>
        <source>At most {most_an_hour} an hour; they come later</source>
        <translation>每小时最多 {most_an_hour} 次；稍后处理</translation>
    </message>
    <message>
        <source>At most {most_an_hour} an hour; the next in {next_s}</source>
        <translation>每小时最多 {most_an_hour} 次；{next_s} 后处理下一个</translation>
    </message>
    <message>
        <source>No session is idle for longer than {after_s}</source>
        <translation>没有会话空闲超过 {after_s}</translation>
    </message>
    <message>
        <source>{long_idle} idle for longer than {after_s}</source>
        <translation>{long_idle}空闲超过 {after_s}</translation>
    </message>
    <message>
        <source>Idle for {idle_s}, longer than {after_s}</source>
        <translation>空闲 {idle_s}，超过 {after_s}</translation>
    </message>
    <message>
        <source>No host has more than {at_most} idle sessions; the most are {most}</source>
        <translation>没有宿主的空闲会话超过 {at_most} 个；最多为 {most}</translation>
    </message>
    <message>
        <source>{wanted} beyond the {at_most} of each host that stay</source>
        <translation>{wanted}超出每个宿主保留的 {at_most} 个</translation>
    </message>
    <message>
        <source>last used {group} ago</source>
        <translation>上次使用在 {group} 前</translation>
    </message>
    <message>
        <source>used longest ago</source>
        <translation>最久未使用</translation>
    </message>
    <message>
        <source>{idle} sessions of its host are idle, {at_most} stay; this one was {used}</source>
        <translation>其宿主有 {idle} 个空闲会话，保留 {at_most} 个；此会话{used}</translation>
    </message>
    <message>
        <source>This system does not tell how much memory it has</source>
        <translation>此系统未提供内存总量</translation>
    </message>
    <message>
        <source>Agents hold {held}</source>
        <translation>代理占用 {held}</translation>
    </message>
    <message>
        <source>{holds}, not more than {mark}</source>
        <translation>{holds}，未超过 {mark}</translation>
    </message>
    <message>
        <source>{holds}, more than {mark}</source>
        <translation>{holds}，超过 {mark}</translation>
    </message>
    <message>
        <source>Memory is short; it waits {beat_s} to see what the last release brought</source>
        <translation>内存不足；等待 {beat_s} 以观察上次释放的效果</translation>
    </message>
    <message>
        <source>Memory is short ({pressure})</source>
        <translation>内存不足（{pressure}）</translation>
    </message>
    <message>
        <source>This system does not tell if memory is short</source>
        <translation>此系统未提供内存是否不足</translation>
    </message>
    <message>
        <source>Memory is not short</source>
        <translation>内存充足</translation>
    </message>
    <message>
        <source>No host tells how full its heap is</source>
        <translation>没有宿主提供堆的占用</translation>
    </message>
    <message>
        <source>No heap is fuller than {share}; the fullest is at {fullest}</source>
        <translation>没有堆超过 {share}；最满的为 {fullest}</translation>
    </message>
    <message>
        <source>Its heap is full; it waits for its next full collection to see what the last release brought</source>
        <translation>堆已满；等待下一次完整回收以观察上次释放的效果</translation>
    </message>
    <message>
        <source>The heap of {host} is at {value}</source>
        <translation>{host} 的堆为 {value}</translation>
    </message>
    <message>
        <source>, more than {share}</source>
        <translation>，超过 {share}</translation>
    </message>
    <message>
        <source>Its heap is at {value}, more than {share}</source>
        <translation>其堆为 {value}，超过 {share}</translation>
    </message>
    <message>
        <source>There are no orphans</source>
        <translation>没有孤立进程</translation>
    </message>
    <message>
        <source>Its session is gone for {for_s}, longer than {after_s}</source>
        <translation>其会话已消失 {for_s}，超过 {after_s}</translation>
    </message>
    <message>
        <source>It is an orphan and {for_s} old, older than {after_s}</source>
        <translation>孤立进程已存在 {for_s}，超过 {after_s}</translation>
    </message>
    <message>
        <source>No orphan is older than {after_s}</source>
        <translation>没有孤立进程超过 {after_s}</translation>
    </message>
    <message>
        <source>{old} older than {after_s}</source>
        <translation>{old}超过 {after_s}</translation>
    </message>
    <message>
        <source>No session has a surplus backend</source>
        <translation>没有会话有多余后端</translation>
    </message>
    <message>
        <source>{surplus} with surplus backends</source>
        <translation>{surplus}有多余后端</translation>
    </message>
    <message>
        <source>Nothing of the kind is done without a person</source>
        <translation>此类操作必须由人确认</translation>
    </message>
    <message>
        <source>What is known of it is old or not certain</source>
        <translation>所知信息已过时或不确定</translation>
    </message>
    <message>
        <source>It is not known to be idle</source>
        <translation>未确认空闲</translation>
    </message>
    <message>
        <source>Cannot tell when somebody typed in its terminal last</source>
        <translation>无法判断其终端最后一次输入的时间</translation>
    </message>
    <message>
        <source>Somebody typed in its terminal {ago_s} ago</source>
        <translation>{ago_s} 前有人在其终端输入</translation>
    </message>
    <message>
        <source>Its folder is not known, and the policy leaves a folder alone</source>
        <translation>其文件夹未知，而策略排除了某个文件夹</translation>
    </message>
    <message>
        <source>The policy leaves {match} alone</source>
        <translation>策略排除了 {match}</translation>
    </message>
    <message>
        <source>Agent Ring ended in the middle of this; it was looked at afterwards</source>
        <translation>Agent Ring 在中途终止；之后已检查</translation>
    </message>
    <message>
        <source>What became of it inside its host is not known</source>
        <translation>其在宿主中的结果未知</translation>
    </message>
    <message>
        <source>memory pressure</source>
        <translation>内存压力</translation>
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
        <translation>设置 idle_after_s 为 {least}：空闲更短的不会释放。</translation>
    </message>
    <message>
        <source>No heap was fuller than {share} of its limit.</source>
        <translation>没有堆超过上限的 {share}。</translation>
    </message>
    <message>
        <source>Heaps were fuller than {share} of their limit for {lasted}, all of them added up.</source>
        <translation>堆超过上限 {share} 的时间合计 {lasted}。</translation>
    </message>
    <message>
        <source>It does nothing: {fault}.</source>
        <translation>不执行操作：{fault}。</translation>
    </message>
    <message>
        <source>The history does not hold {missing}, so this policy cannot be replayed.</source>
        <translation>历史中没有{missing}，因此无法重演此策略。</translation>
    </message>
    <message>
        <source>The history does not hold memory pressure: it counts as if there had always been some.</source>
        <translation>历史中没有内存压力：按始终存在计算。</translation>
    </message>
    <message>
        <source>How much memory the machine has is not known here, so a share of it counts as never reached.</source>
        <translation>电脑内存总量未知，因此按比例的条件视为从未达到。</translation>
    </message>
    <message>
        <source>The history does not hold the programs of a session: what names a program matches nothing.</source>
        <translation>历史中没有会话的程序：按程序的条件不匹配任何内容。</translation>
    </message>
    <message>
        <source>The history does not hold what protects an idle session: a scheduled wake-up, an attached view, a key press in its terminal, a question only its host knows, or that you keep it. The policy would spare these.</source>
        <translation>历史中没有保护空闲会话的信息：计划唤醒、打开的视图、终端按键、仅宿主知道的问题或你的保留。策略会跳过这些。</translation>
    </message>
    <message>
        <source>A turn that began and ended within one minute, and before the last 7 days within 15 minutes, is only seen where it used enough CPU.</source>
        <translation>一分钟内（7 天之前为 15 分钟内）开始并结束的回复，仅在 CPU 占用足够时可见。</translation>
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
        <translation>策略 {value}</translation>
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
        <translation>有工作进程正在运行</translation>
    </message>
    <message>
        <source>{work} work processes run</source>
        <translation>{work} 个工作进程正在运行</translation>
    </message>
    <message>
        <source>1 process could not be read</source>
        <translation>1 个进程无法读取</translation>
    </message>
    <message>
        <source>{unread} processes could not be read</source>
        <translation>{unread} 个进程无法读取</translation>
    </message>
    <message>
        <source>No work process runs</source>
        <translation>没有工作进程在运行</translation>
    </message>
    <message>
        <source>Somebody typed in its terminal just now</source>
        <translation>刚有人在其终端输入</translation>
    </message>
    <message>
        <source>Another session runs below it: {name}</source>
        <translation>其下运行着另一会话：{name}</translation>
    </message>
    <message>
        <source>Work of another session runs below it: {name}</source>
        <translation>其下运行着另一会话的任务：{name}</translation>
    </message>
</context>
</TS>
