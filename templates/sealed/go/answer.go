package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// answer answers every question on standard input: "<nonce> <input as JSON>" with "<nonce> <value as JSON>".
func answer[Input any](ask func(Input) any) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		nonce, given, _ := strings.Cut(lines.Text(), " ")
		var input Input
		if err := json.Unmarshal([]byte(given), &input); err != nil {
			panic(err)
		}
		value, err := json.Marshal(ask(input))
		if err != nil {
			panic(err)
		}
		fmt.Printf("\n%s %s\n", nonce, value)
	}
}
