// strings: every text of ours that a person reads, in each language that we speak.
// A text with a part in it is a function, so that word order is each language's own affair.

const en = {
    language: "en", otherLanguage: "中文", switchLanguage: "切换到中文",
    tutor: "Tutor", conversation: "Conversation", expand: "Open the tutor", collapse: "Make the tutor smaller",
    greeting: "Stuck on something?",
    intro: "Ask about anything on this page. I can see its text and fields, and I point at the spot I mean.",
    suggestions: ["Why is this wrong?", "Where do I start?", "为什么提交不了？"],
    ask: "Ask about this page", send: "Send", stop: "Stop", keys: "/ to ask · Esc to stop",
    states: { connecting: "Connecting…", online: "Connected", waiting: "Reconnecting…", stopped: "Not connected" },
    phases: { sending: "Sending…", queued: "Waiting for a free place…", thinking: "Looking at your page…",
        answering: "Answering…", repairing: "Checking where to point…" },
    ends: {
        cancelled: "Stopped.", superseded: "You asked something else.", expired: "The connection was away too long.",
        failed: "The answer was cut off.",
    },
    reasons: {
        lost: "The connection was lost and the answer was cut. Ask again.",
        restarted: "The tutor restarted and the answer was cut. Ask again.",
        busy: "The tutor is busy. Try again in a moment.", rate_limited: "Too many questions at once. Wait a little.",
        budget_exhausted: "Today's questions are used up.", policy: "Your teacher has paused the tutor.",
        upstream_timeout: "The tutor took too long. Ask again.",
        upstream_unavailable: "The tutor cannot be reached now. Ask again later.",
        length: "The answer became too long and was cut.", cancelled: "Stopped.",
    },
    failed: "That did not work. Ask again.",
    moreHelp: "More help", hintOf: (level) => `Hint level ${level} of 4`, moreHelpAsked: "More help, please",
    looked: (sent, all) => `looked at ${sent} of ${all} elements`,
    pointer: (n) => `Show place ${n} on the page`, lookHere: "look here",
    stepBadge: (n) => `Step ${n}`, stepOf: (n, all) => `Step ${n} of ${all}`,
    verbs: {
        tap: (name) => `Press ${name}.`,
        select: (name, text) => (text ? `Choose “${text}” in ${name}.` : `Choose in ${name}.`),
        type: (name, text) => (text ? `Type “${text}” in ${name}.` : `Write in ${name}.`),
        scroll: (name) => `Scroll to ${name}.`, read: (name) => `Read ${name} again.`, wait: () => "Wait a moment.",
    },
    quote: (name) => (name ? `“${name}”` : "the marked place"),
    done: "Done", cannot: "I can't", show: "Show me", stepGone: "This place is no longer on the page.",
    notMet: "Not there yet. Look once more.", allDone: "All steps done.",
    shared: "What is shared", hideShared: "Hide", sharedTitle: (n) => `${n} elements are shared`,
    sharedNote: "Only text and positions that you can see, never a picture. Passwords are not sent at all; phone and "
        + "e-mail fields only as •••.",
    kinds: {}, empty: "(empty)", announced: (text) => `Answer: ${text}`,
    replaced: "The tutor is open in another tab.", useHere: "Use it here",
    unauthorized: "Your access has ended. Open the page again from your course.", retry: "Connect again",
};

const zh = {
    language: "zh-CN", otherLanguage: "EN", switchLanguage: "Switch to English",
    tutor: "辅导老师", conversation: "对话", expand: "展开辅导", collapse: "收起辅导",
    greeting: "卡住了吗？",
    intro: "这一页上的内容都可以问。我能看到页面上的文字和输入框，会直接指给你看。",
    suggestions: ["为什么提交不了？", "这一步哪里错了？", "Why is this wrong?"],
    ask: "问问这一页的内容", send: "发送", stop: "停止", keys: "按 / 提问 · 按 Esc 停止",
    states: { connecting: "正在连接…", online: "已连接", waiting: "正在重新连接…", stopped: "未连接" },
    phases: { sending: "正在发送…", queued: "正在排队…", thinking: "正在看你的页面…", answering: "正在回答…",
        repairing: "正在核对位置…" },
    ends: { cancelled: "已停止。", superseded: "你问了新的问题。", expired: "断开太久，回答已结束。", failed: "回答中断了。" },
    reasons: { lost: "连接中断，回答没有说完。请再问一次。", restarted: "辅导重新启动，回答没有说完。请再问一次。",
        busy: "现在有点忙，请稍后再试。", rate_limited: "问得太快了，请稍等一下。", budget_exhausted: "今天的提问次数用完了。",
        policy: "老师暂停了辅导。", upstream_timeout: "等待太久了，请再问一次。", upstream_unavailable: "暂时连不上，请稍后再问。",
        length: "回答太长，被截断了。", cancelled: "已停止。" },
    failed: "没有成功，请再问一次。",
    moreHelp: "再多提示一点", hintOf: (level) => `提示级别 ${level}/4`, moreHelpAsked: "请再多提示一点",
    looked: (sent, all) => `看了 ${all} 个元素中的 ${sent} 个`,
    pointer: (n) => `在页面上指出第 ${n} 处`, lookHere: "看这里",
    stepBadge: (n) => `第 ${n} 步`, stepOf: (n, all) => `第 ${n} 步，共 ${all} 步`,
    verbs: {
        tap: (name) => `点击${name}。`, select: (name, text) => (text ? `在${name}里选择「${text}」。` : `在${name}里选择。`),
        type: (name, text) => (text ? `在${name}里填「${text}」。` : `填写${name}。`),
        scroll: (name) => `滚动到${name}。`, read: (name) => `再读一遍${name}。`, wait: () => "稍等一下。",
    },
    quote: (name) => (name ? `「${name}」` : "标出的位置"),
    done: "做好了", cannot: "我不会", show: "指给我看", stepGone: "这个位置已经不在页面上了。",
    notMet: "还差一点，再看看。", allDone: "所有步骤都完成了。",
    shared: "分享了什么", hideShared: "收起", sharedTitle: (n) => `分享了 ${n} 个元素`,
    sharedNote: "只发送你看得见的文字和位置，不发送截图。密码完全不发送；手机号和邮箱只发送 •••。",
    kinds: { heading: "标题", text: "文字", math: "算式", input: "输入框", button: "按钮", select: "选择框", checkbox: "勾选框",
        radio: "单选", switch: "开关", tab: "标签页", link: "链接", image: "图片", code: "代码", error: "错误", alert: "提醒",
        dialog: "对话框", other: "其他" },
    empty: "（空）", announced: (text) => `回答：${text}`,
    replaced: "辅导已在另一个标签页打开。", useHere: "在这里使用",
    unauthorized: "你的使用权限已到期，请从课程里重新打开本页。", retry: "重新连接",
};

const tables = { en, "zh-CN": zh };

/** The language to speak: the setting, else the first of the browser's that we know, else English. */
export function chooseLanguage(setting, preferred = navigator.languages) {
    for (const tag of [setting, ...preferred]) {
        if (!tag) continue;
        if (/^zh\b/i.test(tag)) return "zh-CN";
        if (/^en\b/i.test(tag)) return "en";
    }
    return "en";
}

/** The texts of a language. */
export function stringsFor(language) {
    return tables[language] ?? en;
}

/** The other language that we have. */
export function otherLanguage(language) {
    return language === "en" ? "zh-CN" : "en";
}
