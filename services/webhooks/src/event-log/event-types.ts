import { eventDescription, type EventType, eventTypes, formerNamesOf } from '@parley/public-json';

/** Every type that a subscription can name. */
export function describedTypes(): { name: EventType; description: string; formerNames: string[] }[] {
  return eventTypes.map((name) => ({
    name,
    description: eventDescription(name),
    formerNames: [...formerNamesOf(name)],
  }));
}

/** The types that a reader names: by their present or former names, or all of a noun as `call.*`. Undefined for an unknown name. */
export function typesNamed(name: string): readonly EventType[] | undefined {
  const prefix = name.endsWith('.*') ? name.slice(0, -1) : undefined;
  const named = eventTypes.filter((type) =>
    prefix === undefined ? type === name || formerNamesOf(type).includes(name) : type.startsWith(prefix),
  );
  return named.length === 0 ? undefined : named;
}
