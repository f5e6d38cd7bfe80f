/** Sums over a changing row of numbers: change one, ask for a prefix, or find a place by its sum, each in O(log n). */
export class Fenwick {
  #tree = new Float64Array(64);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** O(n): for a new row, or after a change in its middle. */
  rebuild(values: Float64Array, length: number): void {
    this.#length = length;
    if (this.#tree.length <= length) this.#tree = new Float64Array(Math.max(64, 2 * length));
    else this.#tree.fill(0);
    for (let index = 1; index <= length; index++) {
      const sum = this.#at(index) + (values[index - 1] ?? 0);
      this.#tree[index] = sum;
      const parent = index + (index & -index);
      if (parent <= length) this.#tree[parent] = this.#at(parent) + sum;
    }
  }

  push(value: number): void {
    const index = this.#length + 1;
    if (index >= this.#tree.length) {
      const bigger = new Float64Array(this.#tree.length * 2);
      bigger.set(this.#tree);
      this.#tree = bigger;
    }
    let sum = value;
    for (let child = 1; child < (index & -index); child *= 2) sum += this.#at(index - child);
    this.#tree[index] = sum;
    this.#length = index;
  }

  add(place: number, delta: number): void {
    for (let index = place + 1; index <= this.#length; index += index & -index) {
      this.#tree[index] = this.#at(index) + delta;
    }
  }

  /** The sum of the first `count` values. */
  prefix(count: number): number {
    let sum = 0;
    for (let index = Math.min(count, this.#length); index > 0; index -= index & -index) sum += this.#at(index);
    return sum;
  }

  /** How many leading values fit into `limit` (the largest count with prefix(count) ≤ limit). */
  countWithin(limit: number): number {
    let count = 0;
    let left = limit;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.#length))); step >= 1; step /= 2) {
      const next = count + step;
      if (next <= this.#length && this.#at(next) <= left) {
        count = next;
        left -= this.#at(next);
      }
    }
    return count;
  }

  #at(index: number): number {
    return this.#tree[index] ?? 0;
  }
}
