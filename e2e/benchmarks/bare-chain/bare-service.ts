// A minimal service: gRPC in, one findOne or findOneAndUpdate by id, a message out. No caller, no trace, no scope, no
// checks.
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Server, ServerCredentials, type ServerUnaryCall, type UntypedHandleCall } from '@grpc/grpc-js';
import {
  type GetContactRequest,
  GetContactRequestSchema,
  GetContactResponseSchema,
  type UpdateContactRequest,
  UpdateContactRequestSchema,
  UpdateContactResponseSchema,
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
  done(null, create(GetContactResponseSchema, { contact: contactOf(found) }));
};

const updateContact = async (
  call: ServerUnaryCall<UpdateContactRequest, unknown>,
  done: (error: null, response: unknown) => void,
) => {
  const { id, note } = call.request;
  const update = { $set: { note: note?.value ?? null, updatedAt: new Date() } };
  const changed = await contacts.findOneAndUpdate({ _id: id }, update, { returnDocument: 'after' });
  done(null, create(UpdateContactResponseSchema, { contact: contactOf(changed) }));
};

function contactOf(found: Record<string, any> | null) {
  return {
    ...found,
    id: found?.['_id'],
    createdAt: timestampFromDate(found?.['createdAt']),
    updatedAt: timestampFromDate(found?.['updatedAt']),
  };
}

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
    updateContact: {
      path: '/bare/UpdateContact',
      requestStream: false,
      responseStream: false,
      requestSerialize: (message: any) => Buffer.from(toBinary(UpdateContactRequestSchema, message)),
      requestDeserialize: (bytes: Buffer) => fromBinary(UpdateContactRequestSchema, bytes),
      responseSerialize: (message: any) => Buffer.from(toBinary(UpdateContactResponseSchema, message)),
      responseDeserialize: (bytes: Buffer) => fromBinary(UpdateContactResponseSchema, bytes),
    },
  },
  {
    getContact: getContact as unknown as UntypedHandleCall,
    updateContact: updateContact as unknown as UntypedHandleCall,
  },
);
server.bindAsync(listen, ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
  process.send?.({ ready: true });
});
process.once('disconnect', () => process.exit(0));
