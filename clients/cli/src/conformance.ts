import { CommandError, ExitCode } from './errors.ts';

/** Not a text that a bundler would look up: it is loaded when it is needed only. */
const PACKAGE = '@parley/conformance';

/** `parley conformance …`: the kit, with all arguments as they are. */
export async function conformance(args: readonly string[]): Promise<number> {
  const kit = (await import(PACKAGE).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CommandError(
      ExitCode.refused,
      `${PACKAGE} is not installed`,
      `Install it beside the command line: npm install --global ${PACKAGE}`,
    );
  })) as { main(args: string[]): Promise<number> };
  return kit.main([...args]);
}
