import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginProcess } from './begin-process.ts';

const RELEASE = '7.25.0';
const PLUGIN = `org.openapitools:openapi-generator-maven-plugin:${RELEASE}`;

/** The messages of Maven when it cannot download. */
const UNREACHABLE = /could not (transfer|find) artifact|could not be resolved|unknown host/i;

/** For a Java that runs for seconds: its code is compiled quickly, and one thread collects memory. */
const SHORT_LIVED = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

/** Starts to make a client with openapi-generator, and compiles it. */
export async function generateJava(
  workspace: string,
  document: string,
): Promise<{ readonly missing?: string; readonly problem?: string }> {
  const folder = join(workspace, 'java');
  const client = join(folder, 'client');
  mkdirSync(folder);
  writeFileSync(join(folder, 'pom.xml'), describeProject(document, client));
  for (const args of [
    ['-f', 'pom.xml', `${PLUGIN}:generate`],
    ['-f', join(client, 'pom.xml'), 'compile'],
  ]) {
    const { status, output } = await beginProcess(folder, ['mvn', '-B', '-q', ...args], {
      MAVEN_OPTS: `${SHORT_LIVED} ${process.env['MAVEN_OPTS'] ?? ''}`,
    });
    if (status === undefined || UNREACHABLE.test(output)) {
      return { missing: `openapi-generator and Java cannot be installed here.\n${output}` };
    }
    if (status !== 0) return { problem: output };
  }
  return {};
}

function describeProject(document: string, output: string): string {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>locmetrics.test</groupId>
  <artifactId>generate</artifactId>
  <version>1</version>
  <build><plugins><plugin>
    <groupId>org.openapitools</groupId>
    <artifactId>openapi-generator-maven-plugin</artifactId>
    <version>${RELEASE}</version>
    <configuration>
      <inputSpec>${document}</inputSpec>
      <output>${output}</output>
      <generatorName>java</generatorName>
      <library>native</library>
      <generateApiTests>false</generateApiTests>
      <generateModelTests>false</generateModelTests>
    </configuration>
  </plugin></plugins></build>
</project>
`;
}
