import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { waitUntil } from '@parley/testkit/wait-until';

export interface TerminalOptions {
  /** Where commands are executed. */
  readonly folder: string;
  /** For the files of the terminal itself. */
  readonly scratch: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
}

/** A package manager on a busy machine. */
const COMMANDS_MS_MAX = 120_000;

/** A shell that keeps its variables from one block to the next. Output and errors are one text, as on a screen. */
export class Terminal {
  readonly #shell: ChildProcess;
  readonly #scratch: string;
  /** What it has printed that no block of the guide has shown. */
  #output = '';
  #ended: string | undefined;

  constructor({ folder, scratch, environment, onLine }: TerminalOptions) {
    this.#scratch = scratch;
    // A group of its own, so that everything it has started can be ended.
    this.#shell = spawn('sh', ['-e'], { cwd: folder, env: environment, detached: true });
    let begun = '';
    const read = (text: string) => {
      this.#output += text;
      const lines = (begun + text).split('\n');
      begun = lines.pop()!;
      lines.forEach(onLine);
    };
    for (const stream of [this.#shell.stdout!, this.#shell.stderr!]) stream.setEncoding('utf8').on('data', read);
    // Commands that fail end the shell while more is written to it.
    this.#shell.stdin!.on('error', () => {});
    this.#shell.once('close', (code, signal) => (this.#ended = String(code ?? signal)));
  }

  /** Executes commands to their end, and gives what they printed; an error if one fails. */
  async run(commands: string): Promise<string> {
    const end = `— ${randomUUID()}\n`;
    this.#output = '';
    await this.begin(commands, `printf '${end.trimEnd()}\\n'`);
    await this.#until(() => this.#output.includes(end));
    return this.#output.replace(end, '');
  }

  /** Begins commands that may go on while others are executed elsewhere. */
  async begin(commands: string, after = ''): Promise<void> {
    const file = path.join(this.#scratch, `commands-${randomUUID()}`);
    await writeFile(file, commands);
    this.#shell.stdin!.write(`. '${file}' </dev/null\n${after}\n`);
  }

  /** Waits until what has been printed since the last time begins with what is expected. */
  async shows(expected: RegExp): Promise<void> {
    await this.#until(() => expected.test(this.#output));
    this.#output = this.#output.replace(expected, '');
  }

  /** Ends the shell and everything it has started. */
  stop(): void {
    try {
      process.kill(-this.#shell.pid!, 'SIGKILL');
    } catch {
      // Everything has ended by itself.
    }
  }

  async #until(isDone: () => boolean): Promise<void> {
    const isOver = () => isDone() || this.#ended !== undefined;
    await waitUntil(isOver, { what: 'commands', timeoutMs: COMMANDS_MS_MAX }).catch(() => {});
    if (isDone()) return;
    const why = this.#ended === undefined ? 'is not done in time' : `ended with ${this.#ended}`;
    throw new Error(`the terminal ${why}, after it has printed:\n${this.#output}`);
  }
}
