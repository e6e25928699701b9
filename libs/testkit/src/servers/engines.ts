export type Engines = 'embedded' | 'containers';

const ENGINES: readonly Engines[] = ['embedded', 'containers'];

/** Reads PARLEY_TEST_ENGINES; default: the embedded engines. */
export function chosenEngines(setting: string | undefined): Engines {
  const chosen = ENGINES.find((one) => one === (setting || 'embedded'));
  if (!chosen) throw new Error(`PARLEY_TEST_ENGINES must be ${ENGINES.join(' or ')}, not '${setting}'`);
  return chosen;
}
