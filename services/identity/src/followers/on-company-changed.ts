import { fromBinary } from '@bufbuild/protobuf';
import type { EventHandler } from '@parley/events';
import { CompanyCreatedSchema, CompanyUpdatedSchema } from '@parley/proto/directory/v1/company_events_pb';
import type { FollowerDeps } from './follower-deps.ts';

export const onCompanyCreated =
  ({ companyRules }: FollowerDeps): EventHandler =>
  async (event) => {
    const { company } = fromBinary(CompanyCreatedSchema, event.data);
    if (company) await companyRules.save(company);
  };

export const onCompanyUpdated =
  ({ companyRules }: FollowerDeps): EventHandler =>
  async (event) => {
    const { company } = fromBinary(CompanyUpdatedSchema, event.data);
    if (company) await companyRules.save(company);
  };
