import type { System } from '../system.ts';
import { type Cell, table } from './table.ts';
import { printable, printableJson, printableLines } from './terminal-text.ts';

/** Writes results to standard output and everything else to standard error, always in characters that a terminal only shows. */
export class Output {
  readonly #system: Pick<System, 'write' | 'writeError'>;
  /** The user wants JSON. */
  readonly isJson: boolean;
  #hasItems = false;

  constructor(system: Pick<System, 'write' | 'writeError'>, isJson: boolean) {
    this.#system = system;
    this.isJson = isJson;
  }

  line(text: string): void {
    this.#system.write(`${printable(text)}\n`);
  }

  /** A text with lines of its own. */
  text(text: string): void {
    this.#system.write(printableLines(text.endsWith('\n') || text === '' ? text : `${text}\n`));
  }

  json(value: unknown): void {
    this.#system.write(`${printableJson(value, 2)}\n`);
  }

  /** One of many values, each in a line. */
  jsonLine(value: unknown): void {
    this.#system.write(`${printableJson(value)}\n`);
  }

  /** A list in parts: `first` begins it and `end` ends it. */
  items(items: readonly unknown[], part: 'first' | 'more' | 'end'): void {
    if (part === 'first') this.#system.write('[');
    for (const item of items) {
      this.#system.write(`${this.#hasItems ? ',' : ''}\n${printableJson(item)}`);
      this.#hasItems = true;
    }
    if (part === 'end') this.#system.write(`${this.#hasItems ? '\n' : ''}]\n`);
  }

  table(titles: readonly string[], rows: readonly (readonly Cell[])[]): void {
    this.#system.write(table(titles, rows));
    if (rows.length === 0) this.note('Nothing yet.');
  }

  /** What the user should know beside the result. */
  note(text: string): void {
    this.#system.writeError(`${printable(text)}\n`);
  }

  errorJson(value: unknown): void {
    this.#system.writeError(`${printableJson(value)}\n`);
  }
}
