// IconName: what people call an icon, and how one without a name looks.
// Spec: docs/relevance.md (icons)

import TutorProtocol

/// What people call an icon, how its picture is described, and where it usually sits.
///
/// To teach the filter another icon, add a row to ``all``.
struct IconName: Sendable {
    /// Where on a screen an icon usually sits.
    struct Corner: OptionSet, Sendable {
        let rawValue: UInt8
        static let top = Self(rawValue: 1 << 0)
        static let bottom = Self(rawValue: 1 << 1)
        static let left = Self(rawValue: 1 << 2)
        static let right = Self(rawValue: 1 << 3)
    }

    /// The word for a reason.
    let name: String
    /// Words of a question that mean it, English.
    let calls: Set<Term>
    /// Words of a question that mean it, Chinese.
    let phrases: [[UInt8]]
    /// Descriptions: all groups of one must have a word in the text.
    let looks: [[Set<Term>]]
    /// Where it usually sits; empty: anywhere.
    let corner: Corner

    private init(_ name: String, calls: String, phrases: [String] = [], looks: [String], corner: Corner = []) {
        self.name = name
        self.calls = Self.terms(calls)
        self.phrases = phrases.map { Array($0.utf8) }
        self.looks = looks.map { $0.split(separator: "+").map { Self.terms(String($0)) } }
        self.corner = corner
    }

    /// Whether a question means this icon.
    func isNamed(by words: Set<Term>, in text: PhraseSearch) -> Bool {
        !calls.isDisjoint(with: words) || phrases.contains { text.contains($0) }
    }

    /// Whether a text is a name or a description of this icon.
    func isShown(by words: Set<Term>) -> Bool {
        // Descriptions made by a model often begin "a close up of".
        let words = words.isSuperset(of: Self.closeUp) ? words.subtracting(Self.closeUp) : words
        return isNamedOrDescribed(by: words)
    }

    private static let closeUp = terms("close up")

    private func isNamedOrDescribed(by words: Set<Term>) -> Bool {
        !calls.isDisjoint(with: words) || looks.contains { look in look.allSatisfy { !$0.isDisjoint(with: words) } }
    }

    private static func terms(_ words: String) -> Set<Term> {
        Set(words.split(separator: " ").compactMap { TermReader.term(String($0)) })
    }

    static let all: [IconName] = [
        IconName(
            "menu", calls: "menu drawer hamburger", phrases: ["菜单"],
            looks: ["three+bars lines stripes", "hamburger", "lines+background", "stripes+background", "striped"],
            corner: [.top, .left]),
        IconName(
            "more", calls: "more overflow option", phrases: ["更多"],
            looks: ["three+dots squares circles points", "ellipsis", "dots"], corner: [.top, .right]),
        IconName(
            "back", calls: "back return previous", phrases: ["返回", "后退", "上一"],
            looks: ["arrow+backward back left", "chevron+left"], corner: [.top, .left]),
        IconName(
            "next", calls: "next forward continue", phrases: ["下一", "前进", "继续"],
            looks: ["arrow+forward right", "chevron+right"], corner: [.right]),
        IconName(
            "search", calls: "search", phrases: ["搜索", "查找", "搜"],
            looks: ["magnifying", "magnifier", "search", "lens+glass"], corner: [.top, .right]),
        IconName(
            "close", calls: "close dismiss exit cancel clear", phrases: ["关闭", "取消", "退出", "清除", "清空"],
            looks: ["x", "cross", "crossing"], corner: [.top, .right]),
        IconName(
            "add", calls: "add new create compose", phrases: ["添加", "新建", "新增", "创建"],
            looks: ["plus", "plus+sign", "cross+circle"], corner: [.bottom, .right]),
        IconName(
            "share", calls: "share", phrases: ["分享", "共享"],
            looks: ["share", "dots+connected", "arrow+box"], corner: [.top, .right]),
        IconName(
            "settings", calls: "setting preference configure", phrases: ["设置"],
            looks: ["gear", "cog", "settings", "sliders"], corner: [.top, .right]),
        IconName("home", calls: "home", phrases: ["主页", "首页"], looks: ["home", "house"]),
        IconName(
            "favorite", calls: "favorite favourite like bookmark wishlist", phrases: ["收藏", "喜欢", "点赞"],
            looks: ["heart", "star", "thumbs", "bookmark", "thumb+up"]),
        IconName("edit", calls: "edit modify write rename", phrases: ["编辑", "修改"], looks: ["pencil", "pen", "edit"]),
        IconName(
            "delete", calls: "delete remove trash", phrases: ["删除", "移除"],
            looks: ["trash", "bin", "delete", "garbage", "dustbin"]),
        IconName("download", calls: "download", phrases: ["下载"], looks: ["arrow+down downward", "download"]),
        IconName("upload", calls: "upload", phrases: ["上传"], looks: ["arrow+up upward", "upload"]),
        IconName("play", calls: "play start listen", phrases: ["播放"], looks: ["play", "triangle+right"]),
        IconName("pause", calls: "pause stop", phrases: ["暂停", "停止"], looks: ["pause", "two+bars"]),
        IconName(
            "refresh", calls: "refresh reload sync update", phrases: ["刷新", "同步"],
            looks: ["refresh", "arrow+circle circular", "arrows+circle circular", "sync"]),
        IconName(
            "camera", calls: "camera photo picture", phrases: ["相机", "拍照", "照片"], looks: ["camera", "photo", "gallery"]),
        IconName("call", calls: "call phone dial", phrases: ["电话", "拨打"], looks: ["call", "phone", "handset"]),
        IconName("email", calls: "email mail", phrases: ["邮件", "邮箱"], looks: ["envelope", "mail", "email"]),
        IconName(
            "chat", calls: "chat message comment conversation", phrases: ["聊天", "消息", "评论"],
            looks: ["chat", "speech", "bubble", "comment"]),
        IconName("cart", calls: "cart basket bag", phrases: ["购物车"], looks: ["cart", "basket", "shopping"]),
        IconName(
            "location", calls: "location map place navigate", phrases: ["位置", "定位", "地图"],
            looks: ["location", "pin", "map", "compass", "crosshair", "marker"]),
        IconName("calendar", calls: "calendar schedule", phrases: ["日历", "日程"], looks: ["calendar", "date+range"]),
        IconName(
            "help", calls: "help info information about", phrases: ["帮助", "信息"],
            looks: ["question+mark", "info", "help", "letter+i"]),
        IconName(
            "notification", calls: "notification alert reminder", phrases: ["通知", "提醒"],
            looks: ["bell", "notifications", "notification"]),
        IconName(
            "filter", calls: "filter sort", phrases: ["筛选", "排序"], looks: ["filter", "funnel", "sort", "list+arrow"]),
        IconName(
            "voice", calls: "voice speak microphone record", phrases: ["语音", "麦克风", "录音"], looks: ["microphone", "mic"]),
        IconName("send", calls: "send submit", phrases: ["发送", "提交"], looks: ["send", "paper+plane airplane"]),
        IconName(
            "profile", calls: "profile account user person contact friend", phrases: ["账户", "账号", "个人", "联系人"],
            looks: ["person", "silhouette", "avatar", "head+shoulders", "group+people"]),
        IconName(
            "done", calls: "done save confirm accept apply", phrases: ["完成", "保存", "确认"],
            looks: ["check", "tick", "checkmark"]),
        IconName(
            "time", calls: "time clock history alarm", phrases: ["时间", "历史"],
            looks: ["clock", "time", "history", "alarm"]),
        IconName("sound", calls: "sound volume mute", phrases: ["音量", "声音", "静音"], looks: ["speaker", "volume"]),
        IconName("lock", calls: "lock password security", phrases: ["密码", "锁"], looks: ["lock", "padlock", "key"]),
    ]
}

extension IconName {
    /// Whether a box is a small one in this icon's corner.
    func sits(at box: Box) -> Bool {
        guard !corner.isEmpty, box.width < 0.2, box.height < 0.1 else { return false }
        if corner.contains(.top), box.midY > 0.13 { return false }
        if corner.contains(.bottom), box.midY < 0.7 { return false }
        if corner.contains(.left), box.midX > 0.2 { return false }
        if corner.contains(.right), box.midX < 0.8 { return false }
        return true
    }
}
