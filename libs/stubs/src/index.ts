export { defaultAnswer } from './default-answer.ts';
export { type FakeContract, fakeContract, startFakePeer } from './fake-peer.ts';
