import type { SwitchSettings } from './switch-settings.ts';

/** Which switches take no new calls: by their settings, or because the operator said so. */
export type DrainingSwitches = ReturnType<typeof drainingSwitches>;

export function drainingSwitches(settings: readonly Pick<SwitchSettings, 'name' | 'draining'>[]) {
  const configured = new Set(settings.filter(({ draining }) => draining).map(({ name }) => name));
  const ordered = new Set<string>();
  return {
    has: (name: string): boolean => configured.has(name) || ordered.has(name),
    /** What the operator said, as it was stored when this process last read it. */
    note(name: string, isDraining: boolean): void {
      if (isDraining) ordered.add(name);
      else ordered.delete(name);
    },
  };
}
