// A minimal gateway: Express, one gRPC call, JSON. No credentials, no schemas, no request ids.
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Client, credentials } from '@grpc/grpc-js';
import {
  type Contact,
  GetContactRequestSchema,
  type GetContactResponse,
  GetContactResponseSchema,
  UpdateContactRequestSchema,
  type UpdateContactResponse,
  UpdateContactResponseSchema,
} from '@parley/proto/directory/v1/contacts_pb';
import express, { type Response } from 'express';

const [service = '', port = ''] = process.argv.slice(2);
const client = new Client(service, credentials.createInsecure());

function send(response: Response, failure: unknown, contact: Contact | undefined): void {
  if (failure || !contact) return void response.status(500).send(String(failure));
  response.json({
    id: contact.id,
    name: contact.name ?? null,
    email: contact.email ?? null,
    phone: contact.phone,
    phone_formatted: contact.phoneFormatted,
    company_name: contact.companyName ?? null,
    note: contact.note ?? null,
    created_at: timestampDate(contact.createdAt!).toISOString(),
    updated_at: timestampDate(contact.updatedAt!).toISOString(),
  });
}

express()
  .get('/api/v1/contacts/:id', (request, response) => {
    client.makeUnaryRequest(
      '/bare/GetContact',
      (message: any) => Buffer.from(toBinary(GetContactRequestSchema, message)),
      (bytes) => fromBinary(GetContactResponseSchema, bytes),
      create(GetContactRequestSchema, { id: request.params.id }),
      (failure, answer?: GetContactResponse) => send(response, failure, answer?.contact),
    );
  })
  .patch('/api/v1/contacts/:id', express.json(), (request, response) => {
    client.makeUnaryRequest(
      '/bare/UpdateContact',
      (message: any) => Buffer.from(toBinary(UpdateContactRequestSchema, message)),
      (bytes) => fromBinary(UpdateContactResponseSchema, bytes),
      create(UpdateContactRequestSchema, { id: request.params.id, note: { value: request.body.note } }),
      (failure, answer?: UpdateContactResponse) => send(response, failure, answer?.contact),
    );
  })
  .listen(Number(port), '127.0.0.1', () => process.send?.({ ready: true }));
process.once('disconnect', () => process.exit(0));
