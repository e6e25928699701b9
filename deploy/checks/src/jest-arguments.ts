/** Options of Jest whose value is the next argument. */
const WITH_VALUE = new Set(['-t', '--testNamePattern', '-w', '--maxWorkers', '--testTimeout', '--shard', '--seed']);

/**
 * Jest's arguments for the tests of one folder. Names of files are looked for below the folder; without one, all of its
 * tests run. `folder` is relative to the top of the repository, and empty for all of it.
 */
export function jestArguments(folder: string, given: readonly string[]): string[] {
  if (folder === '') return [...given];
  const options: string[] = [];
  const patterns: string[] = [];
  for (let i = 0; i < given.length; i++) {
    const argument = given[i] ?? '';
    if (WITH_VALUE.has(argument)) options.push(argument, given[(i += 1)] ?? '');
    else if (argument.startsWith('-')) options.push(argument);
    else patterns.push(argument.replace(/^\.\//, ''));
  }
  const within = `/${folder}/`;
  return [...options, ...(patterns.length === 0 ? [within] : patterns.map((pattern) => `${within}.*${pattern}`))];
}
