// Run by mongosh as root, at every start: makes the one-member replica set and a user per service, or finds them there.
// The member has the host name that the services use, because drivers connect to the names in the set's configuration.
try {
  rs.status();
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] });
}

const deadline = Date.now() + 60_000;
while (!db.hello().isWritablePrimary) {
  if (Date.now() > deadline) throw new Error('the replica set has had no primary for 60 s');
  sleep(200);
}

const services = [
  'identity',
  'directory',
  'numbers_routing',
  'call_control',
  'messaging_inbox',
  'webhooks',
  'reports',
  'assistant',
];
for (const service of services) {
  const pwd = process.env[`${service.toUpperCase()}_MONGODB_PASSWORD`];
  if (!pwd) throw new Error(`${service.toUpperCase()}_MONGODB_PASSWORD is not set`);
  const user = { pwd, roles: [{ role: 'readWrite', db: `parley_${service}` }] };
  const admin = db.getSiblingDB('admin');
  if (admin.getUser(service)) admin.updateUser(service, user);
  else admin.createUser({ user: service, ...user });
}
print('replica set and users are there');
