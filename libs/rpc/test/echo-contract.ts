import { create, type Message, toBinary } from '@bufbuild/protobuf';
import { base64Encode } from '@bufbuild/protobuf/wire';
import { fileDesc, type GenMessage, type GenService, messageDesc, serviceDesc } from '@bufbuild/protobuf/codegenv2';
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';

type EchoRequest = Message<'parley.test.EchoRequest'> & { text: string; count: number };
type EchoResponse = Message<'parley.test.EchoResponse'> & { text: string; number: number };

const field = (name: string, number: number, type: Type) => ({ name, number, type, label: Label.OPTIONAL });

const file = fileDesc(
  base64Encode(
    toBinary(
      FileDescriptorProtoSchema,
      create(FileDescriptorProtoSchema, {
        name: 'parley/test/echo.proto',
        package: 'parley.test',
        syntax: 'proto3',
        messageType: [
          { name: 'EchoRequest', field: [field('text', 1, Type.STRING), field('count', 2, Type.INT32)] },
          { name: 'EchoResponse', field: [field('text', 1, Type.STRING), field('number', 2, Type.INT32)] },
        ],
        service: [
          {
            name: 'EchoService',
            method: [
              { name: 'Say', inputType: '.parley.test.EchoRequest', outputType: '.parley.test.EchoResponse' },
              {
                name: 'Count',
                inputType: '.parley.test.EchoRequest',
                outputType: '.parley.test.EchoResponse',
                serverStreaming: true,
              },
              {
                name: 'Converse',
                inputType: '.parley.test.EchoRequest',
                outputType: '.parley.test.EchoResponse',
                clientStreaming: true,
                serverStreaming: true,
              },
            ],
          },
          {
            name: 'UploadService',
            method: [
              {
                name: 'Upload',
                inputType: '.parley.test.EchoRequest',
                outputType: '.parley.test.EchoResponse',
                clientStreaming: true,
              },
            ],
          },
        ],
      }),
    ),
  ),
);

const EchoRequestSchema: GenMessage<EchoRequest> = messageDesc(file, 0);
const EchoResponseSchema: GenMessage<EchoResponse> = messageDesc(file, 1);

/** A contract with one method of each kind, for tests of what lies between caller and handler. */
export const EchoService: GenService<{
  say: { methodKind: 'unary'; input: typeof EchoRequestSchema; output: typeof EchoResponseSchema };
  count: { methodKind: 'server_streaming'; input: typeof EchoRequestSchema; output: typeof EchoResponseSchema };
  converse: { methodKind: 'bidi_streaming'; input: typeof EchoRequestSchema; output: typeof EchoResponseSchema };
}> = serviceDesc(file, 0);

/** A contract with a method of a kind that is not served. */
export const UploadService: GenService<{
  upload: { methodKind: 'client_streaming'; input: typeof EchoRequestSchema; output: typeof EchoResponseSchema };
}> = serviceDesc(file, 1);
