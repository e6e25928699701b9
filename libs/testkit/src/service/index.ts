export { type FakeContract, fakeContract } from '@parley/stubs';
export type { EventAbout, PublishEvent } from './event-publisher.ts';
export { type FakeAssistant, type FakeAssistants, fakeAssistants } from './fake-assistants.ts';
export {
  employeeMessage,
  type FakeCompany,
  type FakeDirectory,
  fakeDirectory,
  type FakeEmployee,
} from './fake-directory.ts';
export { type FakeIdentity, fakeIdentity, type FakePrincipal } from './fake-identity.ts';
export { type FakeNumber, type FakeNumbersRouting, fakeNumbersRouting } from './fake-numbers-routing.ts';
export { type FakeSpeech, fakeSpeech } from './fake-speech.ts';
export { asEmployee, asOperator, withRole } from './principals.ts';
export {
  type Replica,
  type ServiceForTest,
  type ServiceForTestOptions,
  startServiceForTest,
} from './start-service-for-test.ts';
export { testWav } from './test-wav.ts';
