import Foundation

/// What a browser made of a page: what a reader sees, and what is wrong with how it looks.
struct PageProbe: Decodable {
    /// The text that is seen, with spaces where there is white space.
    var text: String
    /// The width of the window, and by how much the page is wider.
    var width: Double
    var overflow: Double
    /// The background of the page, as `rgb(…)`.
    var background: String
    /// The lowest contrast of a text with what is behind it, as WCAG 2 has it, and the text.
    var contrast: Double
    var palest: String
    /// The labels of the chart that lie on each other.
    var overlaps: [String]
    /// The bars of the chart, from left to right.
    var bars: [Bar]
    /// What was fetched besides the page.
    var fetched: [String]

    struct Bar: Decodable {
        var title: String
        var height: Double
        var width: Double
    }

    /// The page with the script in it that finds all this out.
    static func inserted(into page: String) -> String {
        page.replacing("default-src 'none';", with: "default-src 'none'; script-src 'unsafe-inline';")
            .replacing("</body>", with: "<script>\(script)</script></body>")
    }

    /// Reads what the script has left in the document.
    init(document: String) throws {
        guard let match = document.firstMatch(of: #/data-probe="([A-Za-z0-9+\/=]+)"/#),
            let json = Data(base64Encoded: String(match.output.1))
        else { throw Unexpected(what: document) }
        self = try JSONDecoder().decode(PageProbe.self, from: json)
    }

    private static let script = """
        const parse = colour => colour.match(/[0-9.]+/g).map(Number);
        const luminance = ([r, g, b]) => {
          const linear = [r, g, b].map(c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
          return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
        };
        const backgroundOf = element => {
          for (; element; element = element.parentElement) {
            const colour = parse(getComputedStyle(element).backgroundColor);
            if (colour.length < 4 || colour[3] > 0) return colour;
          }
          return [255, 255, 255];
        };
        let contrast = 21, palest = "";
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const element = walker.currentNode.parentElement;
          if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest("script, title, desc")) continue;
          const style = getComputedStyle(element);
          const colours = [parse(element.closest("svg") ? style.fill : style.color), backgroundOf(element)].map(luminance);
          const ratio = (Math.max(...colours) + 0.05) / (Math.min(...colours) + 0.05);
          if (ratio < contrast) { contrast = ratio; palest = walker.currentNode.data.trim(); }
        }
        const labels = [...document.querySelectorAll("svg text")].map(text => [text.textContent, text.getBoundingClientRect()]);
        const overlaps = [];
        labels.forEach(([first, a], index) => labels.slice(index + 1).forEach(([second, b]) => {
          if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) overlaps.push(first + " / " + second);
        }));
        labels.forEach(([text, box]) => { if (box.left < 0 || box.right > innerWidth) overlaps.push(text + " / edge"); });
        const bars = [...document.querySelectorAll("rect.ended, rect.later")].map(bar => {
          const box = bar.getBoundingClientRect();
          return { title: bar.querySelector("title").textContent, height: box.height, width: box.width };
        });
        const result = {
          text: document.body.innerText.replace(/\\s+/g, " "), width: innerWidth,
          overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          background: getComputedStyle(document.body).backgroundColor, contrast, palest, overlaps, bars,
          fetched: performance.getEntriesByType("resource").map(entry => entry.name),
        };
        const bytes = new TextEncoder().encode(JSON.stringify(result));
        document.body.dataset.probe = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));
        """
}
