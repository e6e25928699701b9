import {
  type DescMethod,
  type DescService,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
  create,
} from '@bufbuild/protobuf';
import type { MethodDefinition } from '@grpc/grpc-js';

/** A grpc-js method definition from a protobuf-es descriptor; what is sent is a complete message already. */
export function methodDefinition(service: DescService, method: DescMethod): MethodDefinition<any, any> {
  return {
    path: `/${service.typeName}/${method.name}`,
    requestStream: false,
    responseStream: method.methodKind === 'server_streaming',
    requestSerialize: (request) => Buffer.from(toBinary(method.input, request)),
    requestDeserialize: (bytes) => fromBinary(method.input, bytes),
    // The server sends bytes: a response that cannot be encoded must fail where errors are mapped.
    responseSerialize: (bytes) => bytes,
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
  };
}

/** The complete message from what a caller wrote down. */
export function createMessage<Desc extends DescMethod['input']>(
  desc: Desc,
  init: MessageInitShape<Desc>,
): MessageShape<Desc> {
  return create(desc, init);
}

/** The bytes of what a handler wrote down; a handler may have encoded its response itself. */
export function responseBytes<Desc extends DescMethod['output']>(
  desc: Desc,
  init: MessageInitShape<Desc> | Uint8Array,
): Buffer {
  const bytes = init instanceof Uint8Array ? init : toBinary(desc, create(desc, init));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Only what grpc-js is used for here; anything else in a contract is refused when the program starts. */
export function assertSupported(service: DescService): void {
  for (const method of service.methods) {
    if (method.methodKind !== 'unary' && method.methodKind !== 'server_streaming') {
      throw new Error(`${service.typeName}.${method.name}: ${method.methodKind} is not supported`);
    }
  }
}
