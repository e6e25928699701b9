export { type ExportedFile, type ExportPerson, filesIn, jsonFile } from './exported-file.ts';
export { companyErasure, type DeletedCompany } from './erase-company.ts';
export { type Erase, type ErasedPortion, type ErasureStep, erasureOf, type Person } from './erasure.ts';
export {
  NOBODY,
  daysFromProto,
  isPastRetention,
  KEPT_FOREVER,
  type RetentionCutoffs,
  type RetentionDays,
} from './retention.ts';
export { type ErasedPeople, openErasedPeople } from './erased-people-store.ts';
export { eventSteps } from './event-steps.ts';
export { mentionsNumber, jsonMentions } from './mentions-person.ts';
export { followRetention, type RetentionTarget, type RetentionStep } from './start-retention.ts';
export { addPersonalDataService } from './personal-data-rpcs.ts';
