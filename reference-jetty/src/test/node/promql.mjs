// Parses PromQL as Prometheus's own web page does: node promql.mjs FILE, a JSON array of expressions.
import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';

function parsed(expression) {
  const text = (node) => expression.slice(node.from, node.to);
  const unquoted = (node) => JSON.parse(text(node).replace(/^'|'$/g, '"'));
  const found = { expression, errors: [], selectors: [], grouping: [], aggregates: false };
  parser.parse(expression).iterate({
    enter({ node }) {
      if (node.type.isError) {
        found.errors.push(`at ${node.from}: ${expression.slice(node.from, node.from + 20)}`);
      } else if (node.name === 'VectorSelector') {
        found.selectors.push({ metric: text(node.getChild('Identifier')), matchers: [] });
      } else if (node.name === 'UnquotedLabelMatcher') {
        found.selectors.at(-1).matchers.push({
          label: text(node.getChild('LabelName')), operator: text(node.getChild('MatchOp')), value: unquoted(node.getChild('StringLiteral')),
        });
      } else if (node.name === 'GroupingLabels') {
        found.grouping.push(...node.getChildren('LabelName').map(text));
      } else if (node.name === 'AggregateExpr') {
        found.aggregates = true;
      }
    },
  });
  return found;
}

console.log(JSON.stringify(JSON.parse(readFileSync(process.argv[2], 'utf8')).map(parsed)));
