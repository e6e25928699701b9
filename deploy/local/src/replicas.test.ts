import { describe, expect, it } from '@jest/globals';
import { replicaEnvironments, serviceOf } from './replicas.ts';

const environments = {
  sandbox: { GRPC_LISTEN: 'unix:/tmp/sandbox.sock', DIRECTORY_ADDRESS: 'unix:/tmp/directory.sock' },
  directory: { GRPC_LISTEN: 'unix:/tmp/directory.sock', MONGODB_URL: 'mongodb://directory' },
  gateway: { GRPC_LISTEN: 'unix:/tmp/gateway.sock', PUBLIC_LISTEN: '127.0.0.1:8080', DIRECTORY_ADDRESS: 'unix:/x' },
};

describe('replicas of the services', () => {
  it('replicas of the services share everything but what they listen on, and are known to their clients', async () => {
    const replicas = await replicaEnvironments(environments, 2);
    expect(Object.keys(replicas)).toEqual(['sandbox', 'directory', 'directory@2', 'gateway', 'gateway@2']);
    const listening = ['directory', 'directory@2'].map((name) => replicas[name]?.GRPC_LISTEN);
    expect(replicas['gateway@2']?.DIRECTORY_ADDRESS).toBe(`ipv4:${listening.join(',')}`);
    expect(replicas['sandbox']?.DIRECTORY_ADDRESS).toBe(replicas['gateway']?.DIRECTORY_ADDRESS);
    expect(replicas['directory@2']?.MONGODB_URL).toBe('mongodb://directory');
    expect(replicas['gateway']?.PUBLIC_LISTEN).toBe('127.0.0.1:8080');
    const all = Object.values(replicas).flatMap((own) => [own.GRPC_LISTEN, own.PUBLIC_LISTEN, own.HEALTH_LISTEN]);
    const given = all.filter((address) => address !== undefined);
    expect(new Set(given).size).toBe(given.length);
  });

  it('replicas of the services consist of the given services only', async () => {
    const replicas = await replicaEnvironments(environments, 2, ['directory', 'sandbox']);
    expect(Object.keys(replicas)).toEqual(['sandbox', 'directory', 'directory@2', 'gateway']);
  });

  it('a replica is of the service whose name it begins with', () => {
    expect(['gateway', 'gateway@2', 'call-control@3'].map(serviceOf)).toEqual(['gateway', 'gateway', 'call-control']);
  });
});
