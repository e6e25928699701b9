export { type Command, CommandReader } from './command-reader.ts';
export { encodeCommand, UnsafeCommand } from './command.ts';
export { decodeEvent, type SocketEvent } from './event.ts';
export { type Frame, FrameReader, type ReadResult } from './frame-reader.ts';
export { FramingError } from './limits.ts';
export { classifyReply, readReply, type Reply } from './reply.ts';
export {
  encodeApiResponse,
  encodeAuthRequest,
  encodeDisconnectNotice,
  encodeEvent,
  encodeReply,
  type EventFormat,
} from './server-frames.ts';
export { readSwitchAddress, type SwitchAddress } from './socket-address.ts';
