export { type Erase, type ErasedPortion, type ErasureStep, erasureOf, type Person } from './erasure.ts';
export { type ErasedPeople, openErasedPeople } from './erased-people-store.ts';
export { eventSteps, type KeepsEvent } from './event-steps.ts';
export { mentionsNumber } from './mentions-number.ts';
export { addPersonalDataService } from './personal-data-rpcs.ts';
