/** Runs `work` once for requests that are the same and overlap, and gives all of them its answer. */
export function singleFlight<Answer>(): (request: string, work: () => Promise<Answer>) => Promise<Answer> {
  const running = new Map<string, Promise<Answer>>();
  return (request, work) => {
    const known = running.get(request);
    if (known) return known;
    const answer = work().finally(() => running.delete(request));
    running.set(request, answer);
    return answer;
  };
}
