<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>agentring</name>
    <message>
        <source>Memory and CPU over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory over time</source>
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
        <source>Shared helpers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Orphans</source>
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
        <source>{n} sessions</source>
        <extracomment>{n} session</extracomment>
        <translation>
            <numerusform>{n} 个会话</numerusform>
        </translation>
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
</context>
</TS>
