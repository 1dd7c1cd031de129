/// A queue that is cheap at both ends.
package struct FIFOQueue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    package init() {}

    package var count: Int { elements.count - head }
    package var isEmpty: Bool { count == 0 }
    package var first: Element? { head < elements.count ? elements[head] : nil }

    package mutating func append(_ element: Element) {
        elements.append(element)
    }

    package mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        // Moving the rest down only after half is gone makes it cheap on average.
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.count <= 1_024)
            head = 0
        } else if head >= 64, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Takes out the first element that fits.
    mutating func removeFirst(where fits: (Element) -> Bool) -> Element? {
        for index in head..<elements.count {
            guard let element = elements[index], fits(element) else { continue }
            elements.remove(at: index)
            return element
        }
        return nil
    }
}
