import type { Endpoint } from '@parley/http';

/** `contacts.create`, `businessNumbers.closures.list`: nouns, then the verb. */
const SDK_METHOD = /^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)+$/;

type Described = Pick<Endpoint<never>, 'method' | 'path' | 'sdkMethod'>;

/**
 * Throws at the start of the program unless every operation has a method of the SDKs, which no other has and which no other
 * continues: `calls.transfers` cannot be both a method and where `calls.transfers.start` is.
 */
export function assertSdkMethods(endpoints: readonly Described[]): void {
  const operations = new Map<string, string>();
  for (const { method, path, sdkMethod } of endpoints) {
    const operation = `${method.toUpperCase()} ${path}`;
    if (sdkMethod === undefined) throw new Error(`${operation} does not declare its sdkMethod`);
    if (!SDK_METHOD.test(sdkMethod)) throw new Error(`${operation}: ${sdkMethod} is no name of an SDK method`);
    const other = operations.get(sdkMethod);
    if (other !== undefined) throw new Error(`${operation} and ${other} have the same sdkMethod ${sdkMethod}`);
    operations.set(sdkMethod, operation);
  }
  for (const sdkMethod of operations.keys()) {
    const continued = outerNames(sdkMethod).find((name) => operations.has(name));
    if (continued !== undefined) throw new Error(`${sdkMethod} continues the sdkMethod ${continued}`);
  }
}

/** `a` and `a.b` of `a.b.c`. */
function outerNames(sdkMethod: string): string[] {
  const parts = sdkMethod.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
}
