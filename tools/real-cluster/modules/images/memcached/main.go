// Command memcached speaks the part of memcached's text protocol that an operator's tests need (set, get, delete,
// version, quit), so that pods of the operators run where no image can be pulled. Flags are accepted and ignored.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

const valueBytesMax = 1 << 20

type store struct {
	mutex  sync.Mutex
	values map[string]string
}

func main() {
	listener, err := net.Listen("tcp", ":11211")
	if err != nil {
		log.Fatal(err)
	}
	log.Print("listening on 11211")
	go untilStopped()
	shared := &store{values: map[string]string{}}
	for {
		connection, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go shared.serve(connection)
	}
}

// The first process of a container gets only those signals that it asks for.
func untilStopped() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	<-signals
	os.Exit(0)
}

func (s *store) serve(connection net.Conn) {
	defer connection.Close()
	reader := bufio.NewReader(connection)
	for {
		line, err := reader.ReadString('\n')
		if err != nil {
			return
		}
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "quit" {
			return
		}
		answer, err := s.answer(words, reader)
		if err != nil {
			return
		}
		fmt.Fprint(connection, answer)
	}
}

func (s *store) answer(words []string, reader *bufio.Reader) (string, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch {
	case words[0] == "version":
		return "VERSION 1.6.0\r\n", nil
	case words[0] == "get" && len(words) == 2:
		value, found := s.values[words[1]]
		if !found {
			return "END\r\n", nil
		}
		return fmt.Sprintf("VALUE %s 0 %d\r\n%s\r\nEND\r\n", words[1], len(value), value), nil
	case words[0] == "delete" && len(words) == 2:
		_, found := s.values[words[1]]
		delete(s.values, words[1])
		if !found {
			return "NOT_FOUND\r\n", nil
		}
		return "DELETED\r\n", nil
	case words[0] == "set" && len(words) == 5:
		size, err := strconv.Atoi(words[4])
		if err != nil || size < 0 || size > valueBytesMax {
			return "CLIENT_ERROR bad data chunk\r\n", io.ErrUnexpectedEOF
		}
		data := make([]byte, size+2)
		if _, err := io.ReadFull(reader, data); err != nil {
			return "", err
		}
		s.values[words[1]] = string(data[:size])
		return "STORED\r\n", nil
	}
	return "ERROR\r\n", nil
}
