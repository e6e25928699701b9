export { FRAME_MS, FRAME_SAMPLES, type FrameSource, SAMPLE_RATE } from './audio/frames.ts';
export { paceFrames } from './audio/frame-pacer.ts';
export { type Clip, PlayoutQueue } from './audio/playout-queue.ts';
export type { Invite, InviteDecision } from './endpoint/incoming-call.ts';
export type { OutgoingCallEvents, OutgoingCallOptions } from './endpoint/outgoing-call.ts';
export type { CallEnd, CallEvents, SipCall } from './endpoint/sip-call.ts';
export {
  type SipEndpoint,
  type SipEndpointLimits,
  type SipEndpointOptions,
  startSipEndpoint,
} from './endpoint/sip-endpoint.ts';
export { answerChallenge, type DigestCredentials, readCredentials, verifyDigest } from './message/digest.ts';
export { hostOf, parameterOf, requestTarget, uriOf, userOf } from './message/sip-address.ts';
export {
  encodeRequest,
  encodeResponse,
  header,
  isRequest,
  parseSip,
  repeatedHeaders,
  type SipHeaders,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from './message/sip-message.ts';
export type { AudioFrame } from './rtp/frame-delivery.ts';
export { readRtp, type RtpPacket, writeRtp } from './rtp/rtp-packet.ts';
export { KeyReceiver, KeySender } from './rtp/telephone-event.ts';
export { acceptAnswer, type AgreedAudio, answerOffer, offerAudio } from './sdp/offer-answer.ts';
