// Box, geometry: overlap and containment of normalised boxes.
// Spec: docs/screen.md

import TutorProtocol

extension Box {
    var area: Double { width * height }

    /// The right edge.
    var maxX: Double { x + width }

    /// The bottom edge.
    var maxY: Double { y + height }

    /// The part of the two boxes' joint area that both cover, 0 to 1; 1 for two equal boxes without an area.
    func overlap(with other: Box) -> Double {
        if self == other { return 1 }
        let width = min(maxX, other.maxX) - max(x, other.x)
        let height = min(maxY, other.maxY) - max(y, other.y)
        guard width > 0, height > 0 else { return 0 }
        let common = width * height
        return common / (area + other.area - common)
    }

    /// Whether a box's centre lies in this one.
    func holdsCentre(of other: Box) -> Bool {
        other.midX >= x && other.midX <= maxX && other.midY >= y && other.midY <= maxY
    }
}

extension Box {
    /// The distance between the nearest edges of two boxes, 0 where they touch.
    func distance(to other: Box) -> Double {
        let dx = max(0, max(other.x - maxX, x - other.maxX))
        let dy = max(0, max(other.y - maxY, y - other.maxY))
        return (dx * dx + dy * dy).squareRoot()
    }
}
