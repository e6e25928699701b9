/** The first parts of the keys of the data that is kept: whatever begins with one can be read again together. */
export const queryKeys = {
  company: ['company'],
  unseen: ['unseen'],
  inbox: ['inbox'],
  /** Of all people. */
  activities: ['activity'],
  activity: (phoneNumber: string) => ['activity', phoneNumber],
  callerContexts: ['caller context'],
  callerContext: (phoneNumber: string) => ['caller context', phoneNumber],
  snippets: ['snippets'],
  calls: ['calls'],
  call: (id: string) => ['calls', 'one', id],
  activeCall: ['active call'],
  contacts: ['contacts'],
  /** Of whichever person's page is shown. */
  shownContact: ['contacts', 'one'],
  contact: (id: string) => ['contacts', 'one', id],
  businessNumbers: ['business numbers'],
  businessNumber: (id: string) => ['business numbers', 'one', id],
  employees: ['employees'],
  doNotDisturb: (employeeId: string) => ['employees', 'do not disturb', employeeId],
  reports: ['reports'],
  auditEvents: ['audit events'],
  erasure: (id: string) => ['erasures', id],
  account: ['account'],
  webhooks: ['webhooks'],
  webhook: (id: string) => ['webhooks', 'one', id],
} as const;
