import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import { startAssistant, type TestAssistant } from './start-assistant.ts';

let assistant: TestAssistant;
beforeAll(async () => {
  assistant = await startAssistant();
});
afterAll(() => assistant?.stop());

it('a company is erased by directory only', async () => {
  const { companyId } = assistant.directory.createCompany();
  const erase = (service: string) =>
    assistant.as(service).client(PersonalDataService).eraseCompany({ companyId, position: '' });
  expect(await erase('directory')).toMatchObject({ removed: 0, done: false });
  await expect(erase('webhooks')).rejects.toMatchObject({ refusal: { code: 'forbidden' } });
});
