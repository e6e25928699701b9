import type { SwitchEvent } from '../switch/switch-core.ts';

/** The supported events; anything else in a subscription is ignored. */
const eventNames = new Set(
  (
    'ALL CUSTOM CHANNEL_CREATE CHANNEL_DESTROY CHANNEL_STATE CHANNEL_CALLSTATE CHANNEL_ANSWER CHANNEL_HANGUP CHANNEL_HANGUP_COMPLETE ' +
    'CHANNEL_EXECUTE CHANNEL_EXECUTE_COMPLETE CHANNEL_HOLD CHANNEL_UNHOLD CHANNEL_BRIDGE CHANNEL_UNBRIDGE CHANNEL_PROGRESS ' +
    'CHANNEL_PROGRESS_MEDIA CHANNEL_OUTGOING CHANNEL_PARK CHANNEL_UNPARK CHANNEL_APPLICATION CHANNEL_ORIGINATE CHANNEL_UUID ' +
    'API LOG DTMF MESSAGE PLAYBACK_START PLAYBACK_STOP RECORD_START RECORD_STOP BACKGROUND_JOB HEARTBEAT SHUTDOWN STARTUP RE_SCHEDULE MEDIA_BUG_START MEDIA_BUG_STOP'
  ).split(' '),
);

/** The parsed arguments of an `event` or `nixevent` command. Everything after CUSTOM is a subclass. */
export interface EventChoice {
  readonly names: readonly string[];
  readonly subclasses: readonly string[];
}

export function readChoice(words: readonly string[]): EventChoice {
  const custom = words.indexOf('CUSTOM');
  const names = (custom < 0 ? words : words.slice(0, custom + 1)).filter((word) => eventNames.has(word));
  return { names, subclasses: custom < 0 ? [] : words.slice(custom + 1) };
}

/** The events that a connection has subscribed to. Subscriptions add up. */
export class Subscriptions {
  readonly #names = new Set<string>();
  readonly #subclasses = new Set<string>();
  readonly #filters: { header: string; value: string }[] = [];

  add({ names, subclasses }: EventChoice): void {
    for (const name of names) this.#names.add(name);
    for (const subclass of subclasses) this.#subclasses.add(subclass);
  }

  remove({ names, subclasses }: EventChoice): void {
    for (const name of names) if (name !== 'CUSTOM') this.#names.delete(name);
    for (const subclass of subclasses) this.#subclasses.delete(subclass);
  }

  clear(): void {
    this.#names.clear();
    this.#subclasses.clear();
  }

  addFilter(header: string, value: string): void {
    this.#filters.push({ header, value });
  }

  removeFilters(header: string, value?: string): void {
    const kept = this.#filters.filter(
      (filter) => header !== 'all' && (filter.header !== header || (value !== undefined && filter.value !== value)),
    );
    this.#filters.splice(0, this.#filters.length, ...kept);
  }

  wants(event: SwitchEvent): boolean {
    if (!this.#names.has('ALL') && !this.#chosen(event)) return false;
    if (this.#filters.length === 0) return true;
    return this.#filters.some(({ header, value }) => event.headers[header] === value);
  }

  #chosen({ name, subclass }: SwitchEvent): boolean {
    return subclass === undefined ? this.#names.has(name) : this.#subclasses.has(subclass);
  }
}
