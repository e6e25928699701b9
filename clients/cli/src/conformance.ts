import { printableLines } from './output/terminal-text.ts';
import type { System } from './system.ts';

/** `parley conformance …`: the kit, with all arguments as they are. It is loaded when it is needed only. */
export async function conformance(
  args: readonly string[],
  system: Pick<System, 'write' | 'writeError'>,
): Promise<number> {
  const { main } = await import('@parley/conformance');
  return main(args, {
    out: (text) => system.write(printableLines(text)),
    error: (text) => system.writeError(printableLines(text)),
  });
}
