/**
 * Counts of facts, and how values are spread over them: value to number of facts that have it. Cells of disjoint sets of
 * facts can be added, exactly.
 */
export interface Cell {
  readonly counts: Readonly<Record<string, number>>;
  readonly spreads: Readonly<Record<string, Spread>>;
}

/** The number of facts per value; values are integers or ids. */
export type Spread = Readonly<Record<string, number>>;

interface MutableCell extends Cell {
  readonly counts: Record<string, number>;
  readonly spreads: Record<string, Record<string, number>>;
}

/** A sum of cells that is being made; a cell is subtracted when it is added -1 times. */
export interface CellSum {
  add(cell: Cell, times?: 1 | -1): void;
  readonly cell: Cell;
}

export function cellSum(): CellSum {
  const cell: MutableCell = { counts: {}, spreads: {} };
  return {
    cell,
    add(other, times = 1) {
      addNumbers(cell.counts, other.counts, times);
      for (const [name, spread] of Object.entries(other.spreads))
        addNumbers((cell.spreads[name] ??= {}), spread, times);
    },
  };
}

export function sumOf(cells: Iterable<Cell>): Cell {
  const sum = cellSum();
  for (const cell of cells) sum.add(cell);
  return sum.cell;
}

function addNumbers(into: Record<string, number>, from: Spread, times: 1 | -1): void {
  for (const [name, value] of Object.entries(from)) into[name] = (into[name] ?? 0) + times * value;
}

/** Without the names of which nothing is left. */
export function withoutZeros({ counts, spreads }: Cell): Cell {
  const left = (numbers: Spread) => Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== 0));
  const kept = Object.entries(spreads).map(([name, spread]) => [name, left(spread)] as const);
  return {
    counts: left(counts),
    spreads: Object.fromEntries(kept.filter(([, spread]) => Object.keys(spread).length > 0)),
  };
}

export function isEmpty({ counts, spreads }: Cell): boolean {
  return Object.keys(counts).length === 0 && Object.keys(spreads).length === 0;
}

/** The value at a percentile by nearest rank: the smallest one that at least so many percent do not exceed; 0 without values. */
export function percentile(spread: Spread | undefined, percent: number): number {
  const values = Object.entries(spread ?? {}).map(([value, count]) => [Number(value), count] as const);
  const total = values.reduce((sum, [, count]) => sum + count, 0);
  let rank = Math.ceil((percent / 100) * total);
  for (const [value, count] of values.sort(([a], [b]) => a - b)) {
    rank -= count;
    if (rank <= 0) return value;
  }
  return 0;
}

/** The sum of all values of a spread, and how many there are. */
export function sizeOf(spread: Spread | undefined): { readonly count: number; readonly sum: number } {
  let [count, sum] = [0, 0];
  for (const [value, times] of Object.entries(spread ?? {})) {
    count += times;
    sum += Number(value) * times;
  }
  return { count, sum };
}
