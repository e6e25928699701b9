import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { blocksOf } from './blocks.ts';
import { idsIn, shownPattern, withIds } from './output.ts';
import type { Reader } from './reader.ts';
import { Terminal } from './terminal.ts';

const GUIDES = path.resolve(import.meta.dirname, '../../docs/developers');

/** The guide that needs a stack of its own. */
export const MOVES_CLOCK = 'testing-with-the-sandbox';

/** The text of every guide by its name. */
export async function readGuides(): Promise<Map<string, string>> {
  const files = await readdir(GUIDES);
  const read = async (file: string) =>
    [path.parse(file).name, await readFile(path.join(GUIDES, file), 'utf8')] as const;
  return new Map(await Promise.all(files.map(read)));
}

/** Does what a guide says, in an empty folder, and compares what is printed with what the guide shows. */
export async function followGuide(guide: string, reader: Reader): Promise<void> {
  const blocks = blocksOf(guide);
  const { folder, ...place } = await reader.newFolder();
  const ids = new Map([['pk', reader.apiKey]]);
  const allowing: Promise<void>[] = [];
  const terminals = new Map<string, Terminal>();
  const terminalOf = (named: string) => {
    const terminal = terminals.get(named) ?? new Terminal({ folder, ...place, onLine });
    terminals.set(named, terminal);
    return terminal;
  };
  function onLine(line: string): void {
    for (const [prefix, id] of idsIn(line)) ids.set(prefix, id);
    const [address] = /https?:\S+\/oauth\/authorize\?\S+/.exec(line) ?? [];
    if (address !== undefined) allowing.push(reader.allow(address));
  }

  let printed = '';
  const follow = async ({ kind, name: named, text }: (typeof blocks)[number]): Promise<void> => {
    const own = reader.own(text);
    const isFirst = named === '';
    if (kind === 'file') await writeFile(path.join(folder, named), withIds(own, ids));
    else if (kind === 'commands' && isFirst) printed = await terminalOf(named).run(withIds(own, ids));
    else if (kind === 'commands') await terminalOf(named).begin(withIds(own, ids));
    else if (!isFirst) await terminalOf(named).shows(shownPattern(own, { whole: false }));
    else if (!shownPattern(own, { whole: true }).test(`${printed.trimEnd()}\n`))
      throw new Error(`this was printed instead:\n${printed}`);
  };
  try {
    for (const block of blocks)
      await follow(block).catch((error: Error) => {
        throw new Error(`line ${block.line}: ${error.message}`, { cause: error });
      });
    await Promise.all(allowing);
  } finally {
    for (const terminal of terminals.values()) terminal.stop();
  }
}
