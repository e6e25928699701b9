export { type Command, CommandReader } from './command-reader.ts';
export { encodeCommand, UnsafeCommand, readReply, type Reply } from './command.ts';
export { decodeEvent, type SocketEvent } from './event.ts';
export { type Frame, FrameReader } from './frame-reader.ts';
export {
  encodeApiResponse,
  encodeAuthRequest,
  encodeDisconnectNotice,
  encodeEvent,
  encodeReply,
  type EventFormat,
} from './server-frames.ts';
export { readSwitchAddress, type SwitchAddress } from './socket-address.ts';
