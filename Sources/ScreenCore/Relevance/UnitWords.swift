// UnitWords: words that tell the shape of a number or a date.
// Spec: docs/relevance.md (answer shape)

/// Words that tell what a number counts, and words that are dates or times by themselves.
enum UnitWords {
    /// By the word after a number.
    static let shapes: [String: TextShape] = {
        var shapes: [String: TextShape] = [:]
        for (words, shape) in units {
            for word in words.split(separator: " ") { shapes[String(word), default: []].formUnion(shape) }
        }
        return shapes
    }()

    /// By the word alone.
    static let calendar: [String: TextShape] = {
        var shapes: [String: TextShape] = [:]
        for word in dates.split(separator: " ") { shapes[String(word)] = .date }
        for word in moneys.split(separator: " ") { shapes[String(word)] = .money }
        for word in addresses.split(separator: " ") { shapes[String(word)] = .address }
        return shapes
    }()

    private static let units: [(String, TextShape)] = [
        ("am pm 点 點 时 時", .time),
        (
            "s sec secs second seconds min mins minute minutes m h hr hrs hour hours d day days week weeks month months "
                + "year years yr yrs ms 秒 分 天 周 年 月 小", .duration
        ),
        ("st nd rd th 日 号 月 年", .date),
        (
            "mi mile miles km kms kilometer kilometers kilometre kilometres m meter meters metre metres ft feet foot yd "
                + "inch inches in cm mm 米 公 里", .length
        ),
        ("c f celsius fahrenheit degrees 度", .temperature),
        (
            "kg g mg lb lbs oz gram grams kb mb gb tb kcal cal calories kj l ml liter liters litre litres gal cups px "
                + "mph kph bpm w kw v hp 克 斤 升", .quantity
        ),
        ("percent", .percent),
        ("of", .fraction),
        ("usd eur gbp cad aud inr rs aed 元 块 円", .money),
        ("stars star votes ratings reviews points pts", .quantity),
    ]

    private static let dates = """
        january february march april may june july august september october november december jan feb mar apr jun jul \
        aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun \
        today yesterday tomorrow ago
        """
    private static let moneys = "usd eur gbp inr aed free"
    private static let addresses = "http https www com org net"
}
