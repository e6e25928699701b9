/** The result of `work`, or undefined after the timeout, by the machine's time. The work itself continues. */
export async function withTimeout<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, limitMs, undefined);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
