/** A binary heap: the smallest element by `compare` first. */

/** Elements, of which the smallest is at hand. */
export class Heap<Element> {
  readonly #elements: Element[] = [];
  readonly #compare: (left: Element, right: Element) => number;

  constructor(compare: (left: Element, right: Element) => number) {
    this.#compare = compare;
  }

  /** The smallest element, left in place. */
  peek(): Element | undefined {
    return this.#elements[0];
  }

  /** Adds an element. */
  push(element: Element): void {
    const elements = this.#elements;
    let hole = elements.length;
    elements.push(element);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const above = elements[parent] as Element;
      if (this.#compare(above, element) <= 0) break;
      elements[hole] = above;
      hole = parent;
    }
    elements[hole] = element;
  }

  /** Takes the smallest element out. */
  pop(): Element | undefined {
    const elements = this.#elements;
    const smallest = elements[0];
    const last = elements.pop();
    if (elements.length > 0 && last !== undefined) this.#sink(last);
    return smallest;
  }

  #sink(element: Element): void {
    const elements = this.#elements;
    const { length } = elements;
    let hole = 0;
    for (;;) {
      const left = 2 * hole + 1;
      if (left >= length) break;
      const right = left + 1;
      const smaller =
        right < length && this.#compare(elements[right] as Element, elements[left] as Element) < 0 ? right : left;
      if (this.#compare(elements[smaller] as Element, element) >= 0) break;
      elements[hole] = elements[smaller] as Element;
      hole = smaller;
    }
    elements[hole] = element;
  }
}
