export { type ExportedFile, type ExportPerson, filesIn, jsonFile } from './exported-file.ts';
export { companyErasure, type DeletedCompany } from './erase-company.ts';
export { type Erase, type ErasedPortion, type ErasureStep, erasureOf, type Person } from './erasure.ts';
export { NOBODY } from './event-retention.ts';
export { type ErasedPeople, openErasedPeople } from './erased-people-store.ts';
export { eventSteps, type KeepsEvent } from './event-steps.ts';
export { mentionsNumber } from './mentions-number.ts';
export { jsonMentions } from './mentions-person.ts';
export {
  daysFromProto,
  isPastRetention,
  KEPT_FOREVER,
  type RetentionCutoffs,
  type RetentionDays,
  type RetentionKind,
} from './retention.ts';
export { followRetention, type RetentionTarget, type RetentionStep } from './start-retention.ts';
export { addPersonalDataService } from './personal-data-rpcs.ts';
