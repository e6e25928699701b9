/**
 * `assigned`: a thread was assigned to the employee, or a comment mentions them; `assistant`: it took a message, or the caller is to be
 * called back.
 */
export const notificationKinds = ['missed_call', 'voicemail', 'text', 'assigned', 'assistant'] as const;
export type NotificationKind = (typeof notificationKinds)[number];
export const notificationWays = ['email', 'push'] as const;
export type NotificationWay = (typeof notificationWays)[number];

export interface NotificationSettings {
  /** The employee's. */
  readonly id: string;
  readonly companyId: string;
  /** The enabled notifications. An index finds the employees who have one enabled. */
  readonly enabled: readonly EnabledNotification[];
}

export type EnabledNotification = `${NotificationKind}/${NotificationWay}`;

export type NotificationChoices = Readonly<Record<NotificationKind, Readonly<Record<NotificationWay, boolean>>>>;

/** Without settings everything is off. */
export function choicesOf(settings: Pick<NotificationSettings, 'enabled'> | undefined): NotificationChoices {
  const isOn = (kind: NotificationKind, way: NotificationWay) => settings?.enabled.includes(`${kind}/${way}`) ?? false;
  const entries = notificationKinds.map((kind) => [kind, { email: isOn(kind, 'email'), push: isOn(kind, 'push') }]);
  return Object.fromEntries(entries) as NotificationChoices;
}

export function enabledOf(choices: NotificationChoices): EnabledNotification[] {
  return notificationKinds.flatMap((kind) =>
    notificationWays.filter((way) => choices[kind][way]).map((way) => `${kind}/${way}` as const),
  );
}
