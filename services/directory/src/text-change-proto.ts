import type { TextChange } from '@parley/proto/directory/v1/contacts_pb';

/** `{ [name]: new value or null }` where the request has the field, otherwise an empty object. */
export function textChange<Name extends string>(
  name: Name,
  change: TextChange | undefined,
): Partial<Record<Name, string | null>> {
  return change === undefined ? {} : ({ [name]: change.value ?? null } as Record<Name, string | null>);
}
