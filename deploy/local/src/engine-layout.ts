/** The engine of all services, and its folder. */
const SHARED_ENGINE = 'shared';

/**
 * Which services each MongoDB engine serves, by the name of the engine. A data directory keeps the layout it was made with: an
 * engine of its own for each service, or one for all. `existing`: the folders of engines that it has.
 */
export function engineLayout(
  services: readonly string[],
  { shared, existing }: { shared: boolean; existing: readonly string[] },
): Map<string, readonly string[]> {
  const hasOwn = services.some((service) => existing.includes(service));
  const isShared = existing.includes(SHARED_ENGINE) || (shared && !hasOwn);
  return isShared ? new Map([[SHARED_ENGINE, services]]) : new Map(services.map((service) => [service, [service]]));
}
