// The least a service can be: gRPC in, one findOne by id, a message out. No caller, no trace, no scope, no checks.
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Server, ServerCredentials, type ServerUnaryCall, type UntypedHandleCall } from '@grpc/grpc-js';
import {
  type GetContactRequest,
  GetContactRequestSchema,
  GetContactResponseSchema,
} from '@parley/proto/directory/v1/contacts_pb';
import { MongoClient } from 'mongodb';

const [mongoUrl = '', listen = ''] = process.argv.slice(2);
const contacts = (await new MongoClient(mongoUrl).connect())
  .db('bare')
  .collection<Record<string, any> & { _id: string }>('contacts');

const getContact = async (
  call: ServerUnaryCall<GetContactRequest, unknown>,
  done: (error: null, response: unknown) => void,
) => {
  const found = await contacts.findOne({ _id: call.request.id });
  const contact = {
    ...found,
    id: found?._id,
    createdAt: timestampFromDate(found?.['createdAt']),
    updatedAt: timestampFromDate(found?.['updatedAt']),
  };
  done(null, create(GetContactResponseSchema, { contact }));
};

const server = new Server();
server.addService(
  {
    getContact: {
      path: '/bare/GetContact',
      requestStream: false,
      responseStream: false,
      requestSerialize: (message: any) => Buffer.from(toBinary(GetContactRequestSchema, message)),
      requestDeserialize: (bytes: Buffer) => fromBinary(GetContactRequestSchema, bytes),
      responseSerialize: (message: any) => Buffer.from(toBinary(GetContactResponseSchema, message)),
      responseDeserialize: (bytes: Buffer) => fromBinary(GetContactResponseSchema, bytes),
    },
  },
  { getContact: getContact as unknown as UntypedHandleCall },
);
server.bindAsync(listen, ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
  process.send?.({ ready: true });
});
process.once('disconnect', () => process.exit(0));
