import { CallerContextService, CallerLookupService } from '@parley/proto/directory/v1/caller_context_pb';
import { employees, type RpcServer, services } from '@parley/rpc';
import { callerContextToProto } from './caller-context-proto.ts';
import type { CallerLookup } from './caller-lookup.ts';

/** Requests of employees always query the systems; services state how old a result may be. */
export function addCallerContextServices(server: RpcServer, { lookup }: { lookup: CallerLookup }): void {
  server.add(CallerContextService, employees.withRole('member'), {
    async getCallerContext({ phone }, { principal }) {
      const { context, contact } = await lookup.of(principal.companyId, phone, 0);
      return { context: callerContextToProto(context, contact) };
    },
  });
  server.add(CallerLookupService, services('call-control'), {
    async lookUpCaller({ companyId, phone, ageMaxSecs }) {
      const { context, contact, ageSecs } = await lookup.of(companyId, phone, ageMaxSecs);
      return { context: callerContextToProto(context, contact), ageSecs };
    },
  });
}
