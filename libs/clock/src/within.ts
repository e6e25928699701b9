/** What `work` answers, or undefined when it takes longer by the machine's time. The work itself goes on. */
export async function within<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, limitMs, undefined);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
